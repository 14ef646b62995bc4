/** How the work of a conversation that began on another machine comes here, which /move cannot bring. Pure. */
import { BOOT } from '../platform/remote/quoting.ts'
import type { Target } from '../platform/remote/target.ts'
import { quotedWord } from '../platform/shell/quoting.ts'

/** As sentences, with commands that can be run as they stand. Not sanitised. */
export function howToBring(target: Target, folder: string): string {
  const { name, args } = target
  if (name.startsWith('container:')) {
    // The shell is the last three words, and the container the one before.
    const container = args.at(-4) ?? ''
    const branch = `zotui/${container.replace(/^zotui-/, '')}`
    return `At the end, which is /exit, its clone comes back as the branch ${branch}; a folder that is mounted is the one here`
  }
  const branch = `from-${name.replaceAll(/[^\w]+/g, '-').replaceAll(/^-+|-+$/g, '')}`
  const commit = '!git add -A && git commit -m work'
  const pack = through(target, `git -C ${quotedWord(folder)} bundle create - HEAD`)
  const fetch = `${pack} > work.bundle && git fetch work.bundle HEAD:${branch}`
  const via = name.startsWith('via:') ? ', with your command of --via for VIA,' : ''
  return `\`${commit}\` in this conversation commits what is not committed; then \`${fetch}\` in a shell in your repository here${via} makes the branch ${branch}`
}

/** The command line here that runs a line of a shell there. */
function through({ name, file, args }: Target, line: string): string {
  // Its arguments may hold what is not for the screen.
  if (name.startsWith('via:')) return `VIA ${line}`
  const isJoined = args.at(-1) !== BOOT
  const before = [file, ...args.slice(0, isJoined ? -1 : -3)].map(each => quotedWord(each)).join(' ')
  return `${before} ${isJoined ? quotedWord(line) : line}`
}
