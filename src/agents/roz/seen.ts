/** Detects repeated events: after a broken connection a server may repeat some. Pure. */

/** The number of ids that are kept. */
const MOST = 2000

export function createSeen(most = MOST): (id: string) => boolean {
  const ids = new Set<string>()

  return id => {
    if (id === '') return false
    if (ids.has(id)) return true
    ids.add(id)
    const [oldest] = ids
    if (ids.size > most && oldest !== undefined) ids.delete(oldest)
    return false
  }
}
