/** The files of another machine. */
import type { ContentExchange, ExchangedContent } from '../exchange-content.ts'
import { fileKinds, type ProjectFiles } from '../project-files.ts'
import type { FileRead } from '../regular-file.ts'
import type { RemoteMachine } from './machine.ts'
import { quoted } from '../shell/quoting.ts'

/** Bytes of answers that are names or numbers. */
const SHORT = 64 * 1024
/** Exit codes of the scripts below. */
const MISSING = 44
const FOLDER = 45
const NO_FILE = 46
const UNREADABLE = 47
const CHANGED = 48

export function createRemoteFiles(machine: Pick<RemoteMachine, 'ask'>, name: string): ProjectFiles {
  async function said(script: string): Promise<{ code: number; bytes: Buffer }> {
    const answer = await machine.ask(script, { most: SHORT })
    if (!answer.ok) throw new Error(`${name} does not answer: the connection was lost`)
    if (answer.code !== 0 && answer.code !== MISSING) throw new Error(lastLine(answer.words) || `${name} failed`)
    return answer
  }

  async function readStart(path: string, most: number): Promise<FileRead> {
    const file = quoted(path)
    const checks = [
      `[ -e ${file} ] || exit ${MISSING}`,
      `[ -d ${file} ] && exit ${FOLDER}`,
      `[ -f ${file} ] || exit ${NO_FILE}`,
      `[ -r ${file} ] || exit ${UNREADABLE}`,
    ]
    const answer = await machine.ask([...checks, `head -c ${most} ${file}`].join('\n'), { most })
    if (!answer.ok) return { ok: false, reason: `cannot be read: ${name} does not answer` }
    if (answer.code !== 0) return { ok: false, reason: WHY.get(answer.code) ?? 'cannot be read' }
    return { ok: true, bytes: answer.bytes }
  }

  async function readFile(path: string, limit: number): Promise<FileRead> {
    const read = await readStart(path, limit + 1)
    return read.ok && read.bytes.length > limit ? { ok: false, reason: `is larger than ${limit} bytes` } : read
  }

  async function exchangeFile(
    path: string,
    { before, after, mode: made = 0o644 }: ContentExchange,
  ): Promise<ExchangedContent> {
    const [file, folder] = [quoted(path), quoted(path.slice(0, path.lastIndexOf('/')) || '/')]
    const changed = `exit ${CHANGED}`
    const begin = [
      'set -e; umask 022',
      `t=${folder}/.zotui-$$.tmp; trap 'rm -f "$t"' EXIT`,
      `same() { [ -f ${file} ] && [ ! -L ${file} ] && ${put(before ?? Buffer.alloc(0))} | cmp -s - ${file} || ${changed}; }`,
    ]
    const make = [
      `mkdir -p ${folder}; [ ! -e ${file} ] && [ ! -L ${file} ] || ${changed}`,
      `( umask 077; ${put(after ?? Buffer.alloc(0))} >"$t" ); chmod ${made.toString(8)} "$t"`,
      // A second name never replaces another file.
      `ln "$t" ${file} || { [ ! -e ${file} ] || ${changed}; exit 1; }`,
    ]
    const mode = `same; stat -c %a ${file} 2>/dev/null || stat -f %Lp ${file}`
    const replace = [
      mode,
      `[ -w ${file} ] || { echo 'permission denied' >&2; exit 1; }`,
      `if [ -O ${file} ] && [ "$(find ${file} -prune -links 1 2>/dev/null)" ]; then`,
      `cp -p ${file} "$t"; ${put(after ?? Buffer.alloc(0))} >"$t"; same; mv -f "$t" ${file}`,
      `else same; ${put(after ?? Buffer.alloc(0))} >${file}; fi`,
    ]
    const steps = before === null ? make : after === null ? [mode, `rm -f ${file}`] : replace
    if (before === null && after === null) return { isDone: true, mode: null }
    const answer = await machine.ask([...begin, ...steps].join('\n'), { most: SHORT })
    if (!answer.ok) throw new Error(`${name} does not answer: check whether the file was written`)
    if (answer.code === CHANGED) return { isDone: false }
    if (answer.code !== 0) throw new Error(lastLine(answer.words) || 'the file cannot be written')
    return { isDone: true, mode: before === null ? null : Number.parseInt(answer.bytes.toString(), 8) }
  }

  return {
    exchangeFile,
    async linkTarget(path) {
      const file = quoted(path)
      const { code, bytes } = await said(`[ -L ${file} ] || exit ${MISSING}; readlink ${file}`)
      return code === MISSING ? null : withoutNewline(bytes)
    },
    async realPath(path) {
      const file = quoted(path)
      const { code, bytes } = await said(`[ -e ${file} ] || exit ${MISSING}; readlink -f ${file}`)
      if (code === MISSING) throw new Error(`${path} does not exist`)
      return withoutNewline(bytes)
    },
    async stats(path) {
      const file = quoted(path)
      const kinds = `k=other; [ -f ${file} ] && k=file; [ -d ${file} ] && k=folder`
      const facts = `stat -L -c '%s %Y %i' ${file} 2>/dev/null || stat -L -f '%z %m %i' ${file}`
      const { code, bytes } = await said(`[ -e ${file} ] || exit ${MISSING}; ${kinds}; printf '%s ' $k; ${facts}`)
      if (code === MISSING) return null
      const [, word, mark = '', size] = /^(file|folder|other) ((\d+) \d+ \d+)\s*$/.exec(bytes.toString()) ?? []
      const kind = fileKinds.find(each => each === word)
      if (kind === undefined) throw new Error(`${path} cannot be examined`)
      return { kind, size: Number(size), mark }
    },
    readFile,
    readStart,
    resolved: { readFile, readStart },
    async replaceFile(path, bytes) {
      const [file, folder] = [quoted(path), quoted(path.slice(0, path.lastIndexOf('/')) || '/')]
      const text = quoted(Buffer.from(bytes).toString('base64'))
      // A new file beside it takes its place in one step; where that would lose its owner or its other names it is written in place.
      const answer = await machine.ask(
        [
          `set -e; umask 022; mkdir -p ${folder}`,
          `t=${folder}/.zotui-$$.tmp; trap 'rm -f "$t"' EXIT`,
          `if [ -e ${file} ]; then [ -f ${file} ] && [ -w ${file} ] || { echo 'permission denied' >&2; exit 1; }; fi`,
          `if [ ! -e ${file} ] || { [ -O ${file} ] && [ "$(find ${file} -prune -links 1 2>/dev/null)" ]; }; then`,
          `if [ -e ${file} ]; then cp -p ${file} "$t"; fi`,
          `printf %s ${text} | base64 -d >"$t"; mv -f "$t" ${file}`,
          `else printf %s ${text} | base64 -d >${file}; fi`,
        ].join('\n'),
      )
      if (!answer.ok) throw new Error(`${name} does not answer: check whether the file was written`)
      if (answer.code !== 0) throw new Error(lastLine(answer.words) || 'the file cannot be written')
    },
  }
}

/** The command that writes some bytes. */
const put = (bytes: Uint8Array): string => `printf %s ${quoted(Buffer.from(bytes).toString('base64'))} | base64 -d`

const WHY: ReadonlyMap<number, string> = new Map([
  [MISSING, 'is not there'],
  [FOLDER, 'is a folder'],
  [NO_FILE, 'is a device or a pipe, not a file'],
  [UNREADABLE, 'cannot be read (permission denied)'],
])

function withoutNewline(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\n$/, '')
}

function lastLine(words: string): string {
  return words.trimEnd().split('\n').at(-1) ?? ''
}
