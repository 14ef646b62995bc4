/** Names of files and folders that last for a while: each has something that removes it when the program was killed meanwhile. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the sources that makes one, and what removes it. */
const REMOVED_BY: Readonly<Record<string, string>> = {
  // All others take their names from these.
  'src/platform/shell/temporary-folder.ts': 'removeUnfinished, at the next start',
  'src/platform/unfinished.ts': 'removeUnfinished, at the next start',
  'src/platform/remove-unfinished.ts': 'itself',
  // Their parents only.
  'src/platform/shell/temporary.ts': 'makeTemporaryFolder lists it',
  'src/agents/zot/guard/places.ts': 'makeGuardFolder makes it',
  'src/app/events/allowed-path.ts': 'makes none',
  // Names that say by themselves whose they are.
  'src/agents/zot/guard/folder.ts': 'removeStaleFolders, at the next start: the name has the process',
  'src/background/make-record.ts': 'liveRecords: the record names it before it is made',
  'src/storage/journal/unsent.ts': 'a part of the journal, which is read with it',
  'src/storage/journal/history.ts': 'gather, a day later',
  'src/checkpoints/record.ts': 'makes none: a reference of git',
  'src/storage/sessions/sessions.ts': 'makes none: the name of a session',
  'src/agents/transport/remote-process.ts': 'makes none: a mark in what a shell says',
  'src/platform/remote/lane.ts': 'makes none: a mark in what a shell says',
  'src/move/transfer.ts': 'makes none: a mark in what a shell says',
  // On another machine.
  'src/places/job/open-job.ts': 'makes none: the name of a Job, which ends itself and is on the board',
  'src/move/side.ts': 'the next move there, a day later',
  'src/platform/owner.ts': 'claims and journals: their readers, and removeUnfinished',
  'bin/boot/script-loader.ts': 'removeOld, a month later: it is in the cache',
  'src/platform/held-places.ts': 'nobody reads what ends with .tmp; the name has the process',
  'src/sandbox/protected-names.ts': 'makes none: names of others',
  'src/agents/acp/box/needs.ts': 'makes none: names of others',
  'src/sandbox/write-places.ts': 'makes none: what was in the way of a folder in the cache keeps another name',
  'src/sandbox/network/namespace.ts': 'makes none: a file that is open',
  'bin/wiring/ui/demo-past.ts': 'removeUnfinished, at the next start: the list of unfinished files has it',
  'src/places/container/place.ts': 'makes none: the name of a container, which ends itself and is on the board',
  // It is said to the user, who takes the text from there.
  'src/app/context/clipboard.ts': 'the user',
  // On another machine.
  'src/platform/remote/remote-files.ts': 'the trap of its shell',
  'src/checkpoints/remote-disk.ts': 'the next write has the same name',
  'src/agents/zot/remote/launch.ts': 'the relay, when its input ends',
}

/** Signs of such a name: a folder of the system's own for them, an ending, or chance in a path. */
const SIGNS = [
  /\bmkdtemp/,
  /\btmpdir\(\)/,
  /\.(?:tmp|next|part)['"`]/,
  /\.tmp\b/,
  /[-./]\$\{process\.pid\}/,
  /[-./]\$\{random(?:Bytes|UUID)\(/,
  /\+ random(?:Bytes|UUID)\(/,
  /\brandom(?:Bytes|UUID)\([^)]*\)[^\n]*\]\.join/,
]

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name))
}

const code = (file: string): string =>
  readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|^import .*$/gm, '')

test('each name that lasts for a while has something that removes it after a kill', () => {
  const makers = [...sources('src'), ...sources('bin')].filter(file => SIGNS.some(sign => sign.test(code(file))))
  expect(
    makers.filter(file => !(file in REMOVED_BY)),
    'Take these names from src/platform/unfinished.ts, or say here what removes them after a kill',
  ).toEqual([])
  expect(
    Object.keys(REMOVED_BY).filter(file => !makers.includes(file)),
    'Remove these rows: their files make no such name any more',
  ).toEqual([])
})
