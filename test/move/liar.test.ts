/** The machine that a folder has moved to belongs to somebody else now. What its git and its files say may be anything. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fetchSession } from '../../src/move/agent-session.ts'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import { fetchBack } from '../../src/move/back.ts'
import { bringInto, planBringing, takeIn } from '../../src/move/bring.ts'
import type { MoveRecord } from '../../src/move/record.ts'
import type { MoveSide } from '../../src/move/side.ts'
import { leftOvers, moveStage, type MoveStage } from './stage.ts'

const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

/** A folder that has gone there and has new work, and what is known of that. */
async function gone(stage: MoveStage): Promise<MoveRecord> {
  const prepared = await prepareAway(stage, stage)
  const { top, folder, branch } = await carryAway(stage, prepared, how(stage))
  await prepared.end()
  stage.write(join(folder, 'a.txt'), 'changed there\n')
  const { look, pack, id } = prepared
  const there = { folder, top, branch }
  const { head } = look
  const { commit, tree } = pack
  return {
    id,
    machine: 'ssh:far',
    there,
    folder: stage.folder,
    top: look.top,
    branch: look.branch,
    head,
    commit,
    tree,
    at: 0,
    bringing: null,
  }
}

/** That machine, whose git answers one question with other words, and goes on as if they were true. */
function lying(stage: MoveStage, about: string, words: string): MoveStage {
  let truth = words
  const there: MoveSide = {
    ...stage.there,
    async git(folder, variables) {
      const git = await stage.there.git(folder, variables)
      return async (args, most, input) => {
        const meant = args.map(arg => arg.replace(words, truth))
        const answer = await git(meant, most, input && Buffer.from(Buffer.from(input).toString().replace(words, truth)))
        if (!args.join(' ').startsWith(about) || !answer.ok) return answer
        truth = answer.bytes.toString().trim()
        return { ok: true, bytes: Buffer.from(`${words}\n`) }
      }
    },
  }
  return { ...stage, there }
}

/** A row of a tree, as git keeps it. */
const entry = (mode: string, name: string, oid: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])

describe('a machine that lies', () => {
  test.each([
    ['the tree of its files', 'write-tree'],
    ['its last commit', 'rev-parse --verify --quiet HEAD'],
    ['the commit of its files', 'commit-tree'],
    ['the hash of the bundle', 'hash-object'],
  ])('cannot give a flag of git as %s', async (_what, about) => {
    const stage = moveStage()
    const { folder, stateFolder, read, write, git } = stage
    const record = await gone(stage)
    const precious = join(stateFolder, 'precious')
    write(precious, 'precious\n')
    const { head } = record
    await expect(fetchBack(lying(stage, about, `--output=${precious}`), record, how(stage))).rejects.toThrow(
      'ssh:far says what no git says',
    )
    expect(read(precious)).toBe('precious\n')
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(head)
    expect(git(folder, 'status', '--porcelain')).toBe('')
    expect(leftOvers(stage)).toEqual([])
  })

  test('cannot show the files of one commit and have another one kept', async () => {
    const stage = moveStage()
    const { folder, git, write } = stage
    const first = git(folder, 'rev-parse', 'HEAD')
    write(join(folder, 'a.txt'), 'two\n')
    git(folder, 'commit', '-q', '-a', '-m', 'second')
    const record = await gone(stage)
    await expect(fetchBack(lying(stage, 'commit-tree', first), record, how(stage))).rejects.toThrow(
      'the commit has other files than those that were packed',
    )
    expect(leftOvers(stage)).toEqual([])
  })

  test.each(['.git', '.GIT', 'git~1', '..'])('cannot have git write a file into %s', async name => {
    const stage = moveStage()
    const { folder, folderThere, here, git, stateFolder } = stage
    const record = await gone(stage)
    const make = (kind: string, content: Buffer): string =>
      execFileSync('git', ['hash-object', '-w', '--literally', '--stdin', '-t', kind], {
        cwd: folderThere,
        input: content,
      })
        .toString()
        .trim()
    const inside = make('tree', entry('100755', 'evil', make('blob', Buffer.from('evil'))))
    const a = git(folderThere, 'rev-parse', 'HEAD:a.txt')
    const both = [entry('40000', name, inside), entry('100644', 'a.txt', a)]
    const tree = make('tree', Buffer.concat(name < 'a' ? both : both.toReversed()))
    const commit = git(folderThere, 'commit-tree', tree, '-p', record.head, '-m', 'evil')
    const bundle = join(stateFolder, 'bundle')
    mkdirSync(stateFolder, { recursive: true })
    git(folderThere, 'update-ref', 'refs/evil', commit)
    git(folderThere, 'bundle', 'create', '-q', bundle, 'refs/evil', '--not', record.head)
    const hash = git(folder, 'hash-object', bundle)
    const pack = { tree, commit, head: commit, branch: 'main', format: 'sha1', bundle, bytes: 1, hash }
    const own = await here.temporary()
    const before = readdirSync(join(folder, '.git')).toSorted()
    await expect(
      (async () => {
        await takeIn(here, { top: folder, ref: 'refs/zotui/evil' }, pack, bundle)
        const shown = await planBringing(here, record, pack, own.path)
        if (shown.way !== 'into') throw new Error(shown.why)
        await bringInto(here, record, pack, { shown, temporary: own.path })
      })(),
    ).rejects.toThrow('invalid path')
    await own.remove()
    expect(readdirSync(join(folder, '.git')).filter(each => each === 'evil')).toEqual([])
    expect(readdirSync(join(folder, '.git')).toSorted()).toEqual(before)
    expect(existsSync(join(folder, '..', 'evil'))).toBe(false)
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(record.head)
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  test('cannot send more than a file of a size', async () => {
    const stage = moveStage()
    const record = await gone(stage)
    const there: MoveSide = { ...stage.there, size: async () => NaN }
    await expect(fetchBack({ ...stage, there }, record, how(stage))).rejects.toThrow('ssh:far says what no git says')
    expect(leftOvers(stage)).toEqual([])
  })

  test.each([
    ['codex', 'ab-12', (root: string) => `${root}/../../../evil-ab-12.jsonl`],
    ['codex', 'ab-12', (root: string) => `${root}/../../.bash_login`],
    ['codex', 'ab-12', () => '/somewhere/else/entirely/and/longer/rollout-ab-12.jsonl'],
    ['codex', 'ab-12', (root: string) => `${root}/2026/11/rollout\n-ab-12.jsonl`],
    ['claude', 'ab-12', (root: string) => `${root}/x/..`],
    ['claude', 'ab-12', (root: string) => `${root}/x/CLAUDE.md`],
  ])('cannot say where a session of %s is written', async (agent, id, pathOf) => {
    const stage = moveStage()
    const { homeThere, here, write } = stage
    const root = join(homeThere, `.${agent}`, agent === 'codex' ? 'sessions' : 'projects')
    write(join(root, 'x', `rollout-${id}.jsonl`), 'evil\n')
    const there: MoveSide = { ...stage.there, find: async () => pathOf(root), size: async () => 5 }
    const before = readdirSync(here.home)
    const sides = { ...stage, there, machine: evilFile(stage, join(root, 'x', `rollout-${id}.jsonl`)) }
    const why = await fetchSession(sides, { agent, id, folder: stage.folder }, how(stage))
    expect(why).toBe('it has no file of this session')
    expect(readdirSync(here.home)).toEqual(before)
    expect(existsSync(join(here.home, `.${agent}`))).toBe(false)
  })
})

/** Whatever file is fetched, it is this one. */
function evilFile({ machine }: MoveStage, path: string): MoveStage['machine'] {
  return { ...machine, program: script => machine.program(script.replace(/base64 <[^;]*;/, `base64 <${path};`)) }
}
