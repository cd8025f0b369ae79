/** The functions of jstat that are used here; the package brings no types. */
declare module "jstat" {
  const jStat: {
    /** The regularised incomplete beta function. */
    ibeta(x: number, a: number, b: number): number;
    /** The complementary error function. */
    erfc(x: number): number;
    readonly normal: {
      cdf(x: number, mean: number, sd: number): number;
      inv(p: number, mean: number, sd: number): number;
    };
    readonly studentt: { inv(p: number, df: number): number };
  };
  export = jStat;
}
