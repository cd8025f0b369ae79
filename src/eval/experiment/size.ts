const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/** Bytes of a text such as `60 GB`, `1.5TiB` or `0`; null when it is none. */
export function parseSize(text: string): number | null {
  const [, amount = "", unit = "b"] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)?\s*$/i.exec(text) ?? [];
  const scale = units[unit.toLowerCase()];
  return amount === "" || scale === undefined ? null : Math.round(Number(amount) * scale);
}
