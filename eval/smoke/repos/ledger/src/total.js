/** The sum of amounts of cents. */
export function total(amounts) {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
