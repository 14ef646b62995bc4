/** Looking up in rising numbers. */

/** The index of the last of the first `count` rising numbers that is at most `value`. */
export function lastAtOrBelow(numbers: ArrayLike<number>, count: number, value: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((numbers[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
