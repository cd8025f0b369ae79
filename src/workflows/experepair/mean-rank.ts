/**
 * Candidates (from 0) from the best to the worst by their mean rank over several rankings
 * (ExpeRepair, arXiv:2506.10484). Ranks count from 1; one that a ranking leaves out has the worst
 * rank, and of two with the same mean the earlier is the better (both our choice).
 */
export function byMeanRank(count: number, rankings: readonly (readonly number[])[]): number[] {
  const sums = Array.from({ length: count }, (_, candidate) =>
    rankings.reduce((sum, ranking) => sum + rankIn(ranking, candidate, count), 0),
  );
  return sums
    .map((sum, candidate) => ({ sum, candidate }))
    .sort((a, b) => a.sum - b.sum || a.candidate - b.candidate)
    .map(({ candidate }) => candidate);
}

function rankIn(ranking: readonly number[], candidate: number, count: number): number {
  const at = ranking.indexOf(candidate);
  return at === -1 ? count : at + 1;
}
