/**
 * zotui is killed (SIGKILL) at its steps while it works: before, amid and after each change of a file in the user's home. Whatever it has done by
 * then: what was typed and said is kept, each file is whole or not there, no file and no process is left behind, the terminal is as it was,
 * and the next start works.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { removeUnfinished } from '../../src/platform/remove-unfinished.ts'
import { openDrafts, type Drafts } from '../../src/storage/journal/drafts.ts'
import { openSessions } from '../../src/storage/sessions/sessions.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { processesIn } from '../helpers/processes.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, installZot, lastingHome, letGo, openZot, program, ready, send, unsent } from '../stories/stage.ts'

/** The kills of each kind. In every tenth case zotui is started again. */
const KILLS = isLong ? 60 : 2
const preload = fileURLToPath(new URL('../fixtures/kill-at.ts', import.meta.url))

/** The kept parts of a conversation. */
type Kept = { drafts: Drafts['adopted']; prompts: string[]; texts: string; compactions: string[]; sessions: number }

type Attack = {
  name: string
  /** Brings zotui there. */
  reach: (zotui: Screen) => Promise<void>
  /** The work that the kill falls into. */
  work: (zotui: Screen) => Promise<void>
  /** The facts that hold afterwards, besides those of every kill. */
  holds: (kept: Kept, home: Home) => void
  /** Words that the next start shows in the history. */
  next?: RegExp
  prepare?: (home: Home) => void
  /** With a guard, whose start takes as long again as that of zotui. */
  isGuarded?: true
  /** The fake zot. */
  agent?: string
}

const state = ({ path }: Home): string => join(path, '.local', 'state', 'zotui')
const inProject = ({ project }: Home, name: string): string => join(project, name)
const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

async function say(zotui: Screen, ...prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    await send(zotui, prompt)
    await zotui.see(`You said: ${prompt}.`)
    await zotui.until('the turn to be over', { check: () => zotui.around.title.startsWith('zotui: ') })
  }
}

const talk =
  (...prompts: readonly string[]) =>
  async (zotui: Screen): Promise<void> => {
    await zotui.see(ready)
    await say(zotui, ...prompts)
  }

async function command(zotui: Screen, line: string, words: string | RegExp): Promise<void> {
  await zotui.type(line)
  await zotui.press('enter')
  await zotui.seeInHistory(words)
}

const FORMATS = ['md', 'html', 'json', 'zotsession'] as const
const isWhole: Readonly<Record<(typeof FORMATS)[number], (text: string) => boolean>> = {
  md: text => text.startsWith('# ') && text.includes('You said: second.'),
  html: text => /<\/html>\s*$/.test(text) && text.includes('You said: second.'),
  json: text => JSON.stringify(JSON.parse(text)).includes('You said: second.'),
  zotsession: text => text.endsWith('\n') && text.includes('You said: second.'),
}

function expectExports({ project }: Home): void {
  for (const format of FORMATS) {
    const text = read(join(project, `out.${format}`))
    if (text !== null) expect({ format, isWhole: isWhole[format](text) }).toEqual({ format, isWhole: true })
  }
}

const OWN_SETTINGS = '{\n  // mine\n  "compactAt": 70\n}\n'

const HERE = { allow: ['Bash(=touch one)'] }
const EVERYWHERE = '{\n  // mine\n  "permissions": "ask",\n  "allow": ["Bash(=true)"]\n}\n'
const touch = (file: string) => ({ calls: [{ id: file, name: 'bash', args: { command: `touch ${file}` } }] })

const attacks: readonly Attack[] = [
  {
    name: 'a stream',
    async reach(zotui) {
      await zotui.see(ready)
      await send(zotui, 'stream')
      await zotui.see('And on. And on.')
      await zotui.type('half a draft')
      await zotui.until('the draft on disk', { check: () => unsent(zotui.home).includes('half a draft') })
      await zotui.until('the answer on disk', { check: () => sessionsText(zotui.home).includes('And on.') })
    },
    async work(zotui) {
      await zotui.type(', and more')
      await expectDraft(zotui, 'half a draft, and more')
      const long = ' And on.'.repeat(60)
      await zotui.until('more of the answer', {
        check: () => sessionsText(zotui.home).split('And on.').length > long.length / 8,
      })
    },
    holds({ drafts, prompts, texts }) {
      expect(prompts).toEqual(['stream'])
      expect(texts).toMatch(/^You said: stream\.( And on\.)+$/)
      expect(['half a draft', 'half a draft, and more']).toContain(drafts?.draft)
    },
    next: /▌ stream/,
  },
  {
    name: 'a queue, with prompts that wait',
    async reach(zotui) {
      await zotui.see(ready)
      await send(zotui, 'wait')
      await zotui.see('You said: wait.')
      await send(zotui, 'the first')
      await zotui.see(/1 queued/)
      await send(zotui, 'the second')
      await zotui.see(/2 queued/)
      await zotui.until('the queue on disk', { check: () => unsent(zotui.home).includes('the second') })
    },
    async work(zotui) {
      await zotui.press('up')
      await expectDraft(zotui, 'the second')
      await zotui.press('enter')
      letGo(zotui, 'wait')
      await zotui.see('You said: the first.')
      await zotui.see('You said: the second.')
    },
    holds({ drafts, prompts }) {
      const all = [...prompts, ...(drafts?.queue ?? []), drafts?.draft ?? '']
      for (const text of ['wait', 'the first', 'the second']) expect(all).toContain(text)
    },
  },
  {
    name: '/rewind',
    reach: talk('first', 'second', 'third'),
    async work(zotui) {
      await zotui.type('/rewind second')
      await zotui.press('enter')
      await zotui.see(/go back to before/)
      await zotui.press('enter')
      await zotui.see(/Back to before "second"/)
      await zotui.until('the prompt on disk', { check: () => unsent(zotui.home).includes('second') })
    },
    holds({ prompts }) {
      expect([['first', 'second', 'third'], ['first']]).toContainEqual(prompts)
    },
    next: /▌ first/,
  },
  {
    name: '/export in every format',
    reach: talk('first', 'second'),
    async work(zotui) {
      for (const format of FORMATS) await command(zotui, `/export out.${format}`, `out.${format}`)
      await zotui.until('all of them', {
        check: () => FORMATS.every(format => existsSync(inProject(zotui.home, `out.${format}`))),
      })
    },
    holds({ prompts }, home) {
      expect(prompts).toEqual(['first', 'second'])
      expectExports(home)
    },
  },
  {
    name: 'a compaction',
    reach: talk('first', 'second'),
    async work(zotui) {
      await command(zotui, '/compact', /compacted|summary/i)
      await say(zotui, 'third')
    },
    holds({ prompts, texts, compactions }) {
      expect([
        ['first', 'second'],
        ['first', 'second', 'third'],
      ]).toContainEqual(prompts)
      expect(texts).toContain('You said: second.')
      expect([[], ['The summary of all that was said.']]).toContainEqual(compactions)
    },
    next: /▌ first/,
  },
  {
    name: 'the writing of settings, trust, the mode of the folder, the title, notes, the history and recent models',
    isGuarded: true,
    prepare(home) {
      mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
      mkdirSync(inProject(home, '.zotui'))
      writeFileSync(join(home.path, '.config', 'zotui', 'config.json'), OWN_SETTINGS)
      writeFileSync(inProject(home, '.zotui/config.json'), '{ "model": "x" }')
      writeFileSync(inProject(home, 'AGENTS.md'), '- the first note\n')
    },
    async reach(zotui) {
      await zotui.see(/› ignore them/)
      await zotui.press('esc')
      await say(zotui, 'first')
    },
    async work(zotui) {
      await command(zotui, '/settings detail short', 'detail is now short.')
      await command(zotui, '/permissions edits', 'from now on in this folder')
      await command(zotui, '/settings trust', /trust them/)
      await zotui.press('down', 'enter')
      await zotui.see(/Trusted\./)
      await command(zotui, '/rename the title', /the title/)
      await zotui.type('/model haiku')
      await zotui.press('enter')
      // The list opens where the names of all models take a moment.
      await zotui.see(/› haiku|^ {2}(?:anthropic\/)?haiku/m)
      if (/› haiku/.test(zotui.screen().join('\n'))) await zotui.press('enter')
      await zotui.see(/^ {2}(?:anthropic\/)?haiku/m)
      await zotui.type('# the second note')
      await zotui.press('enter')
      await zotui.until('the note', {
        check: () => read(inProject(zotui.home, 'AGENTS.md'))?.includes('the second note') === true,
      })
      await say(zotui, 'last')
    },
    holds({ prompts }, home) {
      expect(prompts[0]).toBe('first')
      const changed = OWN_SETTINGS.replace('70', '70,\n  "detail": "short"')
      expect([OWN_SETTINGS, changed]).toContain(read(join(home.path, '.config', 'zotui', 'config.json')))
      expect(['- the first note\n', '- the first note\n- the second note\n']).toContain(
        read(inProject(home, 'AGENTS.md')),
      )
      for (const file of filesOf(home).filter(name => !UNFINISHED.test(basename(name)))) {
        const text = read(file) ?? ''
        if (/\/trust\//.test(file)) expect(['trusted\n', 'not trusted\n']).toContain(text)
        if (/\/permissions\/|recent-models/.test(file)) expect(() => JSON.parse(text) as unknown).not.toThrow()
      }
    },
  },
  {
    name: 'the storing of rules by the answers "in this folder" and "everywhere"',
    isGuarded: true,
    agent: 'guardable',
    prepare(home) {
      mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
      writeFileSync(join(home.path, '.config', 'zotui', 'config.json'), EVERYWHERE)
      writeFileSync(join(home.path, 'script.json'), JSON.stringify([touch('one'), touch('two'), { text: 'Done.' }]))
    },
    async reach(zotui) {
      await zotui.see(ready)
      await send(zotui, 'go')
      await zotui.see(/touch one[^]*› 1 Yes/)
    },
    async work(zotui) {
      for (const [command, row] of [
        ['one', '1'],
        ['two', '2'],
      ] as const) {
        await zotui.see(new RegExp(`touch ${command}[^]*› 1 Yes`))
        await zotui.type('4')
        await zotui.see(/Allow what, and for how long\?[^]*› 1/)
        await zotui.type(row)
      }
      await zotui.see('Done.')
      await zotui.until('both rules', {
        check: () => storedRules(zotui.home).flat().length === 3,
      })
    },
    holds(_, home) {
      const [here = [], everywhere = []] = storedRules(home)
      expect([[], HERE.allow]).toContainEqual(here)
      expect([['Bash(=true)'], ['Bash(=true)', 'Bash(=touch two)']]).toContainEqual(everywhere)
      // The first one was stored before.
      if (everywhere.length > 1) expect(here).toEqual(HERE.allow)
      expect(read(join(home.path, '.config', 'zotui', 'config.json'))).toContain('// mine\n  "permissions": "ask",\n')
    },
  },
]

/** The rules of the folder, and those of the user. */
function storedRules(home: Home): string[][] {
  const folder = join(state(home), 'permissions')
  const name = (existsSync(folder) ? readdirSync(folder) : []).find(each => each.endsWith('.json')) ?? 'none'
  const own = read(join(home.path, '.config', 'zotui', 'config.json'))?.replace('// mine', '') ?? '{}'
  return [read(join(folder, name)) ?? '{}', own].map(text => (JSON.parse(text) as { allow?: string[] }).allow ?? [])
}

const filesOf = ({ path }: Home): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

const sessionsText = (home: Home): string =>
  filesOf(home)
    .flatMap(file => (/\/sessions\/.*\.jsonl$/.test(file) ? [read(file) ?? ''] : []))
    .join('')

/** The finds of a program that starts now. */
function kept(home: Home): Kept {
  const place = { stateFolder: state(home), projectFolder: home.project, now: Date.now }
  const timers = { after: () => () => undefined }
  const problems: string[] = []
  const onProblem = (words: string): void => void problems.push(words)
  const sessions = openSessions({ ...place, timers, onProblem })
  const newest = sessions.newest()
  const content = newest === null ? null : sessions.read(newest)
  const events = content?.events ?? []
  const drafts = openDrafts({ ...place, timers, remember: () => undefined, onProblem })
  drafts.close()
  expect(problems).toEqual([])
  return {
    drafts: drafts.adopted,
    prompts: events.flatMap(event => (event.type === 'prompt_sent' ? [event.text] : [])),
    texts: events.flatMap(event => (event.type === 'text_received' ? [event.text] : [])).join(''),
    compactions: events.flatMap(event => (event.type === 'compaction_finished' ? [event.summary] : [])),
    sessions: events.length,
  }
}

/** Names that no program gives to a file that stays. */
const UNFINISHED = /(?:\.tmp|\.next|\.part|\.lock)$|^zotui-[\da-f]{12}$/

/** No file is left over, once another program has started. */
function expectTidy(home: Home): void {
  removeUnfinished(state(home), Date.now())
  expect(
    filesOf(home).filter(file => UNFINISHED.test(basename(file)) || dirname(file).endsWith('/unfinished')),
  ).toEqual([])
}

type Steps = { env: Record<string, string>; arm: () => void; taken: () => string[] }

function stepsIn(home: Home, number: number): Steps {
  const [when, steps] = [`${home.path}-when`, `${home.path}-steps`]
  for (const path of [when, steps]) rmSync(path, { force: true })
  onTestFinished(() => [when, steps].forEach(path => rmSync(path, { force: true })))
  return {
    env: {
      NODE_OPTIONS: `--import=${preload}`,
      KILL_IN: home.path,
      KILL_AT: String(number),
      KILL_WHEN: when,
      KILL_STEPS: steps,
    },
    arm: () => writeFileSync(when, ''),
    taken: () => (read(steps) ?? '').split('\n').filter(Boolean),
  }
}

/** Opens zotui, and kills it at this step of the work, or behind the last one. Returns the steps. */
async function attacked(attack: Attack, home: Home, number: number): Promise<string[]> {
  attack.prepare?.(home)
  const steps = stepsIn(home, number)
  const zotui = await openZot(attack.agent ?? 'long-lived', {
    home,
    env: { ...steps.env, ZOTUI_PERMISSIONS: undefined, ZOT_SCRIPT: join(home.path, 'script.json') },
    isGuarded: attack.isGuarded ?? false,
    job: 'of the shell',
    columns: 100,
    rows: 40,
  })
  await attack.reach(zotui)
  steps.arm()
  // Every wait ends when the program does.
  await attack.work(zotui).catch((error: unknown) => {
    if (!String(error).includes('the program ended first')) throw error
  })
  zotui.kill('SIGKILL')
  await zotui.seeInHistory(/ended with 137, as it was/)
  await zotui.close()
  return steps.taken()
}

async function expectOrder(attack: Pick<Attack, 'holds'>, home: Home, where: string): Promise<void> {
  await expect.poll(() => processesIn(home.path).map(({ command }) => command), { message: where }).toEqual([])
  try {
    attack.holds(kept(home), home)
    expectTidy(home)
  } catch (error) {
    throw new Error(`killed at ${where}`, { cause: error })
  }
}

async function expectNextStart({ next }: Attack, home: Home): Promise<void> {
  const zotui = await openZot('long-lived', { home, args: ['--continue'], columns: 100, rows: 40 })
  await zotui.see(/sonnet|haiku|› ignore them/)
  if (next) await zotui.seeInHistory(next)
  await zotui.close()
}

/** The steps at which to kill: spread over all of them, others in each run. */
function spread(steps: number, count: number): number[] {
  const shift = Math.random()
  return Array.from({ length: count }, (_, index) => 1 + Math.floor(((index + shift) * steps) / count))
}

describe.each(attacks)('a kill during $name', attack => {
  test('loses nothing, leaves nothing behind, and the next start works', { timeout: 3_600_000 }, async () => {
    const first = makeHome()
    const all = await attacked(attack, first, 0)
    await expectOrder(attack, first, 'the end')
    await expectNextStart(attack, first)
    first.remove()
    expect(all.length).toBeGreaterThan(0)
    for (const [index, number] of spread(all.length, KILLS - 1).entries()) {
      const home = makeHome()
      const steps = await attacked(attack, home, number)
      await expectOrder(attack, home, steps.at(-1) ?? '')
      if (index % 10 === 9) await expectNextStart(attack, home)
      home.remove()
    }
  })
})

async function run(home: Home, args: readonly string[], more: Record<string, string> = {}) {
  const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'long-lived'), ...more })
  const options = { cwd: home.project, env, extendEnv: false, reject: false, input: '' } as const
  const { signal, stderr } = await execa(process.execPath, [program, ...args], options)
  return { signal: signal ?? null, stderr }
}

describe('a kill of a command', () => {
  test.each(FORMATS)(
    '`zotui export` to %s leaves a whole file or none, and the old one where it overwrites',
    async format => {
      const home = lastingHome()
      await run(home, ['-p', '--no-guard', 'the first'])
      await run(home, ['-p', '--no-guard', '--continue', 'the second'])
      const path = inProject(home, `out.${format}`)
      const args = ['export', 'last', '--output', path, '--format', format]
      for (const old of [null, 'the old one\n'.repeat(999)]) {
        const words = old === null ? args : [...args, '--force']
        const clean = (): void => (old === null ? rmSync(path, { force: true }) : writeFileSync(path, old))
        // The first run makes folders.
        await run(home, [...args, '--force'])
        clean()
        const dry = stepsIn(home, 0)
        dry.arm()
        expect(await run(home, words, dry.env)).toEqual({ signal: null, stderr: '' })
        const whole = read(path)
        expect(whole).toContain('the second')
        // 60 of all formats, with a file to overwrite and without one.
        for (const number of spread(dry.taken().length, isLong ? 8 : 1)) {
          clean()
          const steps = stepsIn(home, number)
          steps.arm()
          const { signal } = await run(home, words, steps.env)
          const where = steps.taken().at(-1)
          expect({ where, signal, isGood: [old, whole].includes(read(path)) }).toEqual({
            where,
            signal: 'SIGKILL',
            isGood: true,
          })
          expectTidy(home)
        }
      }
    },
  )
})
