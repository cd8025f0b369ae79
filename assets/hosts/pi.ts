// Plan and memory of pmcoder in pi. Made by `pmcoder hook install pi`, taken away by
// `pmcoder hook uninstall pi`. Whatever fails in here, pi goes on as if it were not there.
const place = {{place}};
const off = process.env.PMCODER_HOOKS === "off";
const handlers = off
  ? Promise.resolve(null)
  : import({{module}}).then(({ piHandlers }) => piHandlers({ ...place, cwd: process.cwd() })).catch(() => null);

export default function (pi: any) {
  pi.on("before_agent_start", async (event: unknown, context: unknown) => {
    await (await handlers)?.prompt(event, context).catch(() => {});
  });
  pi.on("tool_result", async (event: unknown, context: unknown) =>
    (await handlers)?.result(event, context).catch(() => undefined),
  );
}
