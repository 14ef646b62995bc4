/** A memo of the last result for each object, made again only when the key changes. */
export function lastMade<Made>(): (of: object, key: string, make: () => Made) => Made {
  const known = new WeakMap<object, { key: string; made: Made }>()
  return (of, key, make) => {
    const last = known.get(of)
    if (last?.key === key) return last.made
    const made = make()
    known.set(of, { key, made })
    return made
  }
}
