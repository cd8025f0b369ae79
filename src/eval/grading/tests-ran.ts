/**
 * The counts by which test runners say that they ran something; a count of 0 says nothing. v5 asks
 * them when its parser found no result, as some parsers take down failures only. A count is looked
 * at from the word after it, so that a megabyte of digits takes no square of its length.
 */
const counts: readonly RegExp[] = [
  /Executed [1-9]\p{Nd}* of \p{Nd}/u, // karma
  /TOTAL: [1-9]\p{Nd}* (?:SUCCESS|FAILED)/u, // karma
  / passing(?<=[1-9]\p{Nd}* passing)/u, // mocha
  /Tests:\s+[1-9]/u, // jest
  /Test Suites:\s+(?:\p{Nd}+ [\p{L}\p{N}_]+, )*[1-9]\p{Nd}* total/u, // jest
  /(?:^|\n)# tests [1-9]/u, // TAP
  / specs?, \p{Nd}+ failure(?<=[1-9]\p{Nd}* specs?, \p{Nd}+ failure)/u, // jasmine
  /': ok(?:\n|$)/u, // openlayers
];

export function testsRan(log: string): boolean {
  return counts.some((count) => count.test(log));
}
