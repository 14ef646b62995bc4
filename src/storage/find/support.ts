/** Which Node can search. */

/** The first Node 22 whose SQLite has the full-text search. */
const NEEDED = [22, 16] as const

export function canSearch(node: string): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
}

/** One line for the user of a Node that cannot. */
export function searchNeeds(node: string): string {
  return `Searching in sessions needs Node ${NEEDED.join('.')} or newer, with SQLite; this is Node ${node}.`
}
