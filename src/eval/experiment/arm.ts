import { z } from "zod";

/** Names become folders and parts of run ids. */
export const name = () =>
  z
    .string("must be text")
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, dots, dashes or underscores");

export const settings = () =>
  z
    .record(
      z.string(),
      z.unknown(),
      "must be a mapping of settings such as {agent: {stepLimit: 50}}",
    )
    .default({});

export const ArmFields = z.strictObject(
  {
    name: name().optional().describe("Stands in reports and folders; left out, that of `from`."),
    from: z
      .string("must be text")
      .min(1, "is empty")
      .nullable()
      .default(null)
      .describe(
        "What the arm starts from: the name of an arm of pmcoder's, or a YAML file of settings, relative to this file. null: the defaults.",
      ),
    settings: settings().describe("What differs from that, as in `pmcoder run -c FILE`."),
  },
  "must be the name of an arm, a file, or a mapping with name, from and settings",
);

/** `full`, `arms/mine.yaml` or `{name, from, settings}`; each has a name in the end. */
export const Arm = z
  .preprocess((value) => (typeof value === "string" ? { from: value } : value), ArmFields)
  .transform(({ name: given, from, settings: own }, context) => {
    const taken = given ?? /([^/\\]+?)(?:\.ya?ml)?$/.exec(from ?? "")?.[1];
    if (name().safeParse(taken).success) return { name: taken ?? "", from, settings: own };
    context.addIssue({ code: "custom", message: "is needed here", path: ["name"] });
    return z.NEVER;
  });
