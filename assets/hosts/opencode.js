// Plan and memory of pmcoder in opencode. Made by `pmcoder hook install opencode`, taken away by
// `pmcoder hook uninstall opencode`. Whatever fails in here, opencode goes on as if it were not there.
const place = {{place}};

const quietly = (hook) => async (input, output) => {
  try {
    await hook(input, output);
  } catch {}
};

export const Pmcoder = async ({ directory }) => {
  if (process.env.PMCODER_HOOKS === "off") return {};
  try {
    const { opencodeHooks } = await import({{module}});
    const hooks = opencodeHooks({ ...place, cwd: directory });
    return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, quietly(hook)]));
  } catch {
    return {};
  }
};
