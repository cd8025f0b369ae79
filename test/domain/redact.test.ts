import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactValue } from "../../src/domain/redact.ts";
import type { Secret } from "../../src/domain/secrets.ts";

const run = (length: number) => "a1B2c3D4e5F6g7H8".repeat(9).slice(0, length);
const body = `${run(64)}\n${run(64)}\n${run(20)}==\n`;
const pem = (kind: string) => `-----BEGIN ${kind}-----\n${body}-----END ${kind}-----`;
const jwt = `eyJ${run(20)}.eyJ${run(30)}.${run(43)}`;

describe("redact, by shape", () => {
  it.each([
    ["anthropic-key", `sk-ant-api03-${run(40)}_x-y`],
    ["api-key", `sk-${run(48)}`],
    ["api-key", `sk-proj-${run(20)}_${run(20)}-${run(20)}`],
    ["api-key", `sk-or-v1-${run(64)}`],
    ["api-key", "sk-1234567890abcdef"],
    ["stripe-key", `sk_live_${run(24)}`],
    ["github-token", `ghp_${run(36)}`],
    ["github-token", `ghs_${run(36)}`],
    ["github-token", `github_pat_${run(22)}_${run(59)}`],
    ["gitlab-token", `glpat-${run(20)}`],
    ["hugging-face-token", `hf_${run(34)}`],
    ["npm-token", `npm_${run(36)}`],
    ["aws-key-id", "AKIAIOSFODNN7EXAMPLE"],
    ["aws-key-id", "ASIAIOSFODNN7EXAMPLE"],
    ["slack-token", "xoxb-123456789012-abcdefABCDEF"],
    ["google-key", `AIza${run(35)}`],
    ["jwt", jwt],
    ["private-key", pem("PRIVATE KEY")],
    ["private-key", pem("RSA PRIVATE KEY")],
    ["private-key", pem("OPENSSH PRIVATE KEY")],
    ["private-key", pem("PGP PRIVATE KEY BLOCK")],
    ["private-key", pem("EC PRIVATE KEY").replaceAll("\n", "\\n")],
  ])("knows a %s: %j", (name, secret) => {
    const mark = `[redacted:${name}]`;
    for (const [before, after] of [
      ["", ""],
      ["key: ", " and more"],
      ['{"k":"\\n', '"}'],
      ["TOKEN_", "\n"],
      ["https://x:", "@host"],
    ] as const) {
      expect(redact(`${before}${secret}${after}`, [])).toBe(`${before}${mark}${after}`);
    }
  });

  it.each([
    [
      "git clone https://bob:hunter2pass9@host/x",
      "git clone https://bob:[redacted:url-password]@host/x",
    ],
    ["Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic [redacted:basic]"],
    [`AWS_SECRET_ACCESS_KEY=${run(40)}`, "AWS_SECRET_ACCESS_KEY=[redacted:aws-secret]"],
    [`token pypi-${run(24)}`, "token [redacted:pypi-token]"],
    [
      "http://localhost:8080/a@b and ssh://git@host",
      "http://localhost:8080/a@b and ssh://git@host",
    ],
  ])("knows a secret by what stands around it: %s", (text, redacted) => {
    expect(redact(text, [])).toBe(redacted);
    expect(redact(redacted, [])).toBe(redacted);
  });

  it("keeps the word Bearer", () => {
    const header = `Authorization: Bearer ${run(24)}~+/==`;
    expect(redact(`${header}\nbearer ${run(16)}`, [])).toBe(
      "Authorization: Bearer [redacted:bearer]\nbearer [redacted:bearer]",
    );
    expect(redact(`Bearer ${jwt}`, [])).toBe("Bearer [redacted:jwt]");
  });

  it("takes a private key that is cut short up to where it is cut", () => {
    const cut = pem("PRIVATE KEY").slice(0, 100);
    expect(redact(`${cut}\n</output_head>`, [])).toBe("[redacted:private-key]</output_head>");
    const two = `${pem("PRIVATE KEY")}\nthen <b>\n${pem("RSA PRIVATE KEY")}!`;
    expect(redact(two, [])).toBe("[redacted:private-key]\nthen <b>\n[redacted:private-key]!");
    const locked = pem("RSA PRIVATE KEY").replace(
      "\n",
      "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n",
    );
    expect(redact(locked, [])).toBe("[redacted:private-key]");
  });

  it.each([
    "sk-toggleable__content-hidden--visually",
    '<div class="sk-estimator" id="sk-container-id-12">',
    "task-1234567890abcdef, disk-0123456789abcdef",
    "sk-ant-…, ghp_…, github_pat_…, AKIA…, xoxb-…",
    "Bearer <token>, Bearer authentication-of-all-kinds",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "eyJhbGciOiJIUzI1NiJ9",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "toolu_01A09q90qw90lq917835lq9, call_abc123def456ghi789jkl012",
    "xoxo-hugs-and-kisses",
  ])("leaves %j alone", (text) => {
    expect(redact(text, [])).toBe(text);
  });
});

const secrets: readonly Secret[] = [
  { name: "SHORT_KEY", value: "abcdefgh" },
  { name: "LONG_KEY", value: "abcdefgh-ijkl" },
  { name: "PASSWORD", value: 'p"a/ss\\w?rd' },
  { name: "ODD_KEY", value: "private-key" },
];

describe("redact, by value", () => {
  it.each([
    ["xabcdefghx", "x[redacted:SHORT_KEY]x"],
    ["abcdefgh-ijkl abcdefgh-ijk", "[redacted:LONG_KEY] [redacted:SHORT_KEY]-ijk"],
    ['is p"a/ss\\w?rd', "is [redacted:PASSWORD]"],
    [JSON.stringify({ p: 'p"a/ss\\w?rd' }), '{"p":"[redacted:PASSWORD]"}'],
    [`?p=${encodeURIComponent('p"a/ss\\w?rd')}`, "?p=[redacted:PASSWORD]"],
    ["[redacted:private-key] private-key", "[redacted:private-key] [redacted:ODD_KEY]"],
    ["nothing here", "nothing here"],
  ])("turns %j into %j", (text, expected) => {
    expect(redact(text, secrets)).toBe(expected);
  });

  it("prefers the name that is known to the shape", () => {
    const value = `ghp_${run(36)}`;
    expect(redact(`Bearer ${value}`, [{ name: "GH_TOKEN", value }])).toBe(
      "Bearer [redacted:GH_TOKEN]",
    );
  });
});

describe("redactValue", () => {
  it("reaches every text and keeps keys, order and everything that is no text", () => {
    const value = {
      abcdefgh: ["abcdefgh", 1, null, true, { deep: [`sk-ant-${run(20)}`] }],
      ["__proto__"]: "abcdefgh",
      not: undefined,
    };
    expect(redactValue(value, secrets)).toEqual({
      abcdefgh: ["[redacted:SHORT_KEY]", 1, null, true, { deep: ["[redacted:anthropic-key]"] }],
      ["__proto__"]: "[redacted:SHORT_KEY]",
      not: undefined,
    });
  });

  const said = (signed: string) => ({
    type: "reply",
    message: {
      role: "assistant",
      content: `sk-ant-${run(20)}`,
      calls: [{ id: "a", name: "bash", input: { command: `echo sk-ant-${run(20)}` } }],
      native: {
        provider: "anthropic",
        blocks: [
          { type: "thinking", thinking: signed, signature: `x/ghp_${run(40)}` },
          { type: "redacted_thinking", data: `AKIAIOSFODNN7EXAMPLE` },
          { type: "text", text: `sk-ant-${run(20)}` },
          { type: "tool_use", id: "a", input: { command: `echo sk-ant-${run(20)}` } },
        ],
      },
    },
  });

  it("leaves thinking as it came, whatever it looks like, and says the same in both places", () => {
    const event = said(`AIza${run(35)} \n`);
    const redacted = redactValue(event, secrets);
    const { content, calls, native } = redacted.message;
    expect(native.blocks.slice(0, 2)).toEqual(event.message.native.blocks.slice(0, 2));
    expect(native.blocks[2]).toEqual({ type: "text", text: content });
    expect(native.blocks[3]?.input).toEqual(calls[0]?.input);
    expect(JSON.stringify([content, calls])).not.toContain("sk-ant");
  });

  it("takes a value that is known out of thinking too", () => {
    const { native } = redactValue(said("It is abcdefgh."), secrets).message;
    expect(native.blocks[0]?.thinking).toBe("It is [redacted:SHORT_KEY].");
  });

  it("leaves an openai server's reasoning as it came", () => {
    const native = { provider: "openai", blocks: [{ reasoning_content: jwt }] };
    expect(redactValue({ native }, secrets)).toEqual({ native });
    expect(redactValue({ native: "abcdefgh" }, secrets)).toEqual({
      native: "[redacted:SHORT_KEY]",
    });
  });
});

describe("redaction", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom(
      ...["abcdefgh", "-ijkl", "sk-", "sk-ant-", run(20), "Bearer ", "eyJ", ".", "-----"],
      ...["BEGIN PRIVATE KEY-----", "END PRIVATE KEY-----", "[redacted:", "]", "\n", "\\n"],
      ...secrets.map(({ value }) => value),
    ),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

  it("leaves no known value, done twice is done once", () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = redact(given, secrets);
        expect(redact(once, secrets)).toBe(once);
        const rest = once.replace(/\[redacted:[\w-]+\]/g, " ");
        for (const { value } of secrets) expect(rest).not.toContain(value);
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with itself on any JSON value, and keeps its shape", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(redactValue(plain, [])).toEqual(plain);
      }),
    );
  });

  /** A rule that is not linear would not end within the test's time. */
  it.each([
    ["one long run", "a"],
    ["dashes", "-"],
    ["key headers", "-----BEGIN PRIVATE KEY-----\nabc "],
    ["half headers", "-----BEGIN "],
    ["token starts", "eyJ"],
    ["token parts", "eyJaaaaaaaaaa."],
    ["bearers", "Bearer "],
    ["tabs", "\t"],
    ["prefixes", "sk-"],
    ["slack prefixes", "xoxb-"],
    ["backslashes", "\\"],
    ["halves of a value", "abcdefg"],
    ["brackets", "[redacted:"],
  ])("reads four megabytes of %s", (_, unit) => {
    const hostile = unit.repeat(Math.ceil(4_000_000 / unit.length));
    expect(redact(hostile, secrets).length).toBeGreaterThan(0);
  });
});
