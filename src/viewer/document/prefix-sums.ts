/** A list of numbers that gives the sum before any of them in logarithmic time (a Fenwick tree). */
export class PrefixSums {
  readonly #values: (number | null)[] = []
  /** Entry `n`, counted from 1, is the sum of the last `n & -n` values up to it. */
  readonly #tree: number[] = [0]
  #unknown = 0

  get length(): number {
    return this.#values.length
  }

  /** Whether every number is known. */
  get isKnown(): boolean {
    return this.#unknown === 0
  }

  get total(): number {
    return this.before(this.length)
  }

  /** Null while it is unknown; it then counts as 0. */
  at(index: number): number | null {
    return this.#values[index] ?? null
  }

  set(index: number, value: number | null): void {
    while (this.length <= index) this.#append()
    const old = this.at(index)
    if (old === value) return
    this.#unknown += Number(value === null) - Number(old === null)
    this.#values[index] = value
    const change = (value ?? 0) - (old ?? 0)
    for (let node = index + 1; node < this.#tree.length; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + change
    }
  }

  /** Keeps the first `length` of them. */
  cut(length: number): void {
    if (length >= this.length) return
    for (const value of this.#values.splice(length)) this.#unknown -= Number(value === null)
    this.#tree.length = length + 1
  }

  /** The sum of those before `index`. */
  before(index: number): number {
    let sum = 0
    for (let node = Math.min(index, this.length); node > 0; node -= node & -node) sum += this.#tree[node] ?? 0
    return sum
  }

  #append(): void {
    this.#values.push(null)
    this.#unknown += 1
    const node = this.length
    let sum = 0
    for (let child = 1; child < (node & -node); child *= 2) sum += this.#tree[node - child] ?? 0
    this.#tree.push(sum)
  }
}
