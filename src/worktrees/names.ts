/** The names of worktrees and their branches. */

/** The most characters of a prompt in a name. */
const LONGEST = 32

/** The beginning of a prompt as a name: small letters, digits and dashes, whole words where there are several. */
export function slugOf(prompt: string): string {
  const words = prompt
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z\d]+/)
    .filter(word => word !== '')
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`
    if (longer.length > LONGEST) break
    slug = longer
  }
  return slug === '' ? (words[0]?.slice(0, LONGEST) ?? 'task') : slug
}

/** The branch with a name. If `zotui` itself is a branch (`isTaken`), git allows no branch below it. */
export const branchNamed = (name: string, isTaken: boolean): string => (isTaken ? `zotui-${name}` : `zotui/${name}`)
