/** What was made of a value is made again only for another key: who draws asks for the same each time. */
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
