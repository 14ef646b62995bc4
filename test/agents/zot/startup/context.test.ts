/** Instructions and skills that zot loads by itself, in folders like those of a user. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judgedContext } from '../../../../src/agents/zot/startup/version-rules.ts'
import { startupPlaces } from '../../../../src/agents/zot/startup/startup-places.ts'
import { zotHome } from '../../../../src/agents/zot/program/home.ts'
import {
  findStartupContext,
  readSkillText,
  type StartupContextLimits,
} from '../../../../src/agents/zot/startup/context.ts'
import { workingFolder } from '../../../../src/agents/zot/program/working-folder.ts'
import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-reading-')))
  mkdirSync(join(root, 'home/work/app'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

const at = (path: string): string => join(root, path)
const short = (path: string): string => path.replaceAll(`${root}/`, '')

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}

const skill = (name: string, description = 'It does.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo.`

function places(options: ZotOptions = {}, env: NodeJS.ProcessEnv = {}, folder = 'home/work/app') {
  return startupPlaces({
    options,
    env: { HOME: at('home'), ...env },
    platform: 'linux',
    folder: at(folder),
  })
}

async function look(limits: Partial<StartupContextLimits> = {}, env: NodeJS.ProcessEnv = {}, folder = 'home/work/app') {
  const found = await findStartupContext(places({}, env, folder), limits)
  return {
    isWhole: found.isWhole,
    system: found.systemPrompt && short(found.systemPrompt.path),
    instructions: found.instructions.map(({ path, problem }) => short(path) + (problem === null ? '' : `: ${problem}`)),
    skills: found.skills.map(({ name, from, state, note }) =>
      short([name, from, ...(state === 'taken' || note === null ? [] : [note])].join(': ')),
    ),
    notes: found.skills.flatMap(({ note }) => note ?? []),
  }
}

describe('instructions', () => {
  test('come first from zot, then from the top folder down', async () => {
    for (const folder of ['home/.local/state/zot', 'home', 'home/work/app', 'home/work/app/below'])
      write(`${folder}/AGENTS.md`, 'Rules.')
    expect((await look()).instructions).toEqual([
      'home/.local/state/zot/AGENTS.md',
      'home/AGENTS.md',
      'home/work/app/AGENTS.md',
    ])
  })

  test('are found under the second spelling if the first is missing', async () => {
    write('home/AGENTS.MD', 'Rules.')
    write('home/work/AGENTS.md', 'Rules.')
    write('home/work/AGENTS.MD', 'Other rules.')
    expect((await look()).instructions).toEqual(['home/AGENTS.MD', 'home/work/AGENTS.md'])
  })

  test('are read once if zot runs in its own folder', async () => {
    write('home/zot/AGENTS.md', 'Rules.')
    expect((await look({}, { ZOT_HOME: at('home/zot') }, 'home/zot')).instructions).toEqual(['home/zot/AGENTS.md'])
  })

  test('that zot ignores are listed with the reason', async () => {
    write('AGENTS.md', ' \n')
    mkdirSync(at('home/AGENTS.md'))
    execFileSync('mkfifo', [at('home/work/AGENTS.md')])
    write('home/work/app/AGENTS.md', 'x'.repeat(200))
    expect((await look({ file: 100 })).instructions).toEqual([
      'AGENTS.md: is empty',
      'home/AGENTS.md: is a folder',
      'home/work/AGENTS.md: is a pipe, not a file',
      'home/work/app/AGENTS.md: is larger than 100 B',
    ])
  })

  test('include a system prompt of the user', async () => {
    const env = { ZOT_HOME: at('zot') }
    expect((await look({}, env)).system).toBeNull()
    write('zot/SYSTEM.md', ' ')
    expect((await look({}, env)).system).toBeNull()
    write('zot/SYSTEM.md', 'You are a poet.')
    expect((await look({}, env)).system).toBe('zot/SYSTEM.md')
    expect(places({ systemPrompt: 'Other.' }, env).systemPrompt).toBeNull()
  })
})

describe('skills', () => {
  test('come from all places, and the first of each name counts', async () => {
    for (const folder of [
      'work/app/.zot',
      '.local/state/zot',
      'work/app/.claude',
      '.claude',
      'work/app/.agents',
      '.agents',
    ])
      write(`home/${folder}/skills/${folder.replaceAll('/', '')}/SKILL.md`, skill('one'))
    write('home/.agents/skills/two/SKILL.md', skill('two'))
    const hidden = 'is hidden by the skill of the same name in home/work/app/.zot/skills/workapp.zot/SKILL.md'
    expect((await look()).skills).toEqual([
      'one: project',
      `one: global: ${hidden}`,
      `one: project (claude): ${hidden}`,
      `one: global (claude): ${hidden}`,
      `one: project (agents): ${hidden}`,
      `one: global (agents): ${hidden}`,
      'two: global (agents)',
    ])
  })

  test('are listed once in the home folder, and none come from above it', async () => {
    write('home/.claude/skills/one/SKILL.md', skill('one'))
    write('.claude/skills/two/SKILL.md', skill('two'))
    expect((await look({}, {}, 'home')).skills).toEqual(['one: project (claude)'])
  })

  test('without a name get the name of their folder, and are sorted by bytes', async () => {
    for (const name of ['b', 'a', 'Z', 'é']) write(`home/.agents/skills/${name}/SKILL.md`, 'Do.')
    const { skills, notes } = await look()
    expect(skills.map(each => each.split(':')[0])).toEqual(['Z', 'a', 'b', 'é'])
    expect(notes[0]).toContain('no header')
  })

  test('that zot skips are listed with the reason', async () => {
    const folder = 'home/work/app/.zot/skills'
    write('elsewhere/linked/SKILL.md', skill('linked'))
    write(`${folder}/README.md`, 'Nothing.')
    write(`${folder}/empty/notes.md`, 'Nothing.')
    write(`${folder}/lower/skill.md`, skill('lower'))
    write(`${folder}/huge/SKILL.md`, 'x'.repeat(2000))
    write(`${folder}/.git/config`, 'Nothing.')
    mkdirSync(at(`${folder}/folder/SKILL.md`), { recursive: true })
    mkdirSync(at(`${folder}/pipe`))
    execFileSync('mkfifo', [at(`${folder}/pipe/SKILL.md`)])
    symlinkSync(at('elsewhere/linked'), at(`${folder}/linked`))
    symlinkSync(at('elsewhere/nowhere'), at(`${folder}/nowhere`))
    symlinkSync('loop', at(`${folder}/loop`))
    expect((await look({ file: 1000 })).skills).toEqual([
      'folder: project: has a SKILL.md that is a folder',
      'huge: project: has a SKILL.md that is larger than 1 kB',
      'linked: project: is a symbolic link, and zot loads only real folders',
      'lower: project: has a skill.md, which zot expects as SKILL.md',
      'pipe: project: has a SKILL.md that is a pipe, not a file',
    ])
  })

  test.skipIf(process.getuid?.() === 0)('that may not be read are named', async () => {
    write('home/.agents/skills/secret/SKILL.md', skill('secret'))
    chmodSync(at('home/.agents/skills/secret/SKILL.md'), 0)
    expect((await look()).skills).toEqual([expect.stringContaining('permission denied')])
  })

  test('are found through a link to the file or to the whole folder of skills', async () => {
    write('elsewhere/skills/one/text.md', skill('one'))
    symlinkSync('text.md', at('elsewhere/skills/one/SKILL.md'))
    symlinkSync(at('elsewhere'), at('home/.claude'))
    expect((await look()).skills).toEqual(['one: global (claude)'])
  })

  test('are cut at the limit, which is reported', async () => {
    for (let number = 0; number < 7; number += 1) write(`home/.agents/skills/${number}/SKILL.md`, skill(`${number}`))
    const { skills, isWhole } = await look({ folders: 5 })
    expect(skills).toHaveLength(5)
    expect(isWhole).toBe(false)
  })

  test('have token estimates for the list and for the loaded text', async () => {
    write('home/.agents/skills/one/SKILL.md', `---\ndescription: It does.\n---\n${'word '.repeat(400)}`)
    write('home/.agents/skills/own/SKILL.md', '---\ndescription: x\ndisable-model-invocation: true\n---\nDo.')
    const [one, own] = (await findStartupContext(places())).skills
    expect(one?.listedTokens).toBeLessThan(50)
    expect(one?.loadedTokens).toBeGreaterThan(400)
    expect(own).toMatchObject({
      listedTokens: 0,
      state: 'taken',
      note: expect.stringContaining('only be called by you'),
    })
  })
})

const textOf = async (folder: string) => {
  const found = (await findStartupContext(places())).skills.find(({ path }) => path === at(`${folder}/SKILL.md`))
  return found ? readSkillText(found) : null
}

describe('the text of a skill', () => {
  test('has no header', async () => {
    write('home/.agents/skills/one/SKILL.md', skill('one'))
    expect(await textOf('home/.agents/skills/one')).toEqual({ ok: true, value: 'Do.' })
    write('home/.agents/skills/two/SKILL.md', '---\nname: two\n---\n \n')
    expect(await textOf('home/.agents/skills/two')).toEqual({ ok: false, message: 'has no instructions' })
  })

  test("a project's link to a file outside of it is refused, and the user's own is followed", async () => {
    write('secret', 'Secret.')
    write('home/work/app/.zot/skills/good/real.md', skill('good'))
    symlinkSync('real.md', at('home/work/app/.zot/skills/good/SKILL.md'))
    for (const folder of ['home/work/app/.zot/skills/bad', 'home/.agents/skills/mine']) {
      mkdirSync(at(folder), { recursive: true })
      symlinkSync(at('secret'), at(`${folder}/SKILL.md`))
    }
    expect(await textOf('home/work/app/.zot/skills/good')).toMatchObject({ ok: true })
    expect(await textOf('home/work/app/.zot/skills/bad')).toEqual({
      ok: false,
      message: 'is a link that points outside its folder of skills',
    })
    expect(await textOf('home/.agents/skills/mine')).toEqual({ ok: true, value: 'Secret.' })
  })

  test('is read from a project whose folder of skills is itself a link', async () => {
    write('elsewhere/skills/one/SKILL.md', skill('one'))
    symlinkSync(at('elsewhere'), at('home/work/app/.claude'))
    expect(await textOf('home/work/app/.claude/skills/one')).toMatchObject({ ok: true })
  })
})

describe('places', () => {
  test.each([
    ['linux', { ZOT_HOME: '/z', XDG_STATE_HOME: '/s' }, '/z'],
    ['linux', { XDG_STATE_HOME: '/s' }, '/s/zot'],
    ['darwin', { XDG_STATE_HOME: '/s' }, '/s/zot'],
    ['linux', {}, '/h/.local/state/zot'],
    ['darwin', {}, '/h/Library/Application Support/zot'],
  ] as const)("zot's own folder on %s with %j", (platform, env, folder) => {
    expect(zotHome(env, platform, '/h')).toBe(folder)
  })

  test('a variable adds folders of skills before all others', () => {
    const { skills } = places({}, { ZOT_AGENT_SKILLS: `${at('x')}::y` })
    expect(skills.slice(0, 3).map(({ folder }) => folder)).toEqual([
      at('x'),
      at('home/work/app/y'),
      at('home/work/app/.zot/skills'),
    ])
  })

  test('without a home folder only those of the project and of zot are used', () => {
    const { skills } = places({}, { HOME: '', ZOT_HOME: at('zot') })
    expect(skills.map(({ from }) => from)).toEqual(['project', 'global', 'project (claude)', 'project (agents)'])
  })

  test('the working folder has the name of the shell if that is right, else its real name', async () => {
    const here = process.cwd()
    symlinkSync(here, at('link'))
    expect(await workingFolder({}, { PWD: at('link') }, here)).toBe(at('link'))
    expect(await workingFolder({}, { PWD: root }, here)).toBe(here)
    expect(await workingFolder({}, { PWD: 'link' }, here)).toBe(here)
    expect(await workingFolder({}, { PWD: at('gone') }, at('gone'))).toBe(at('gone'))
    expect(await workingFolder({ cwd: root }, { PWD: at('link') }, here)).toBe(root)
    expect(await workingFolder({ cwd: root, extra: ['--cwd', 'home'] }, {}, here)).toBe(at('home'))
  })
})

describe('a zot', () => {
  const nothing = { systemPrompt: null, instructions: [], skills: [], isWhole: true }
  test.each([
    ['whose reasoning level can be read', {}, { version: '0.0.0', reasoning: '' }, 'yes', 'yes'],
    ['of May 2026', {}, { version: '0.1.62 (4e5f, 2026-05-06)', reasoning: null }, 'no', 'no'],
    ['of May 2026, told to', { extra: ['--with-skills'] }, { version: '0.1.62', reasoning: null }, 'no', 'yes'],
    ['of June 2026', {}, { version: '0.2.11', reasoning: null }, 'unknown', 'unknown'],
    ['built from source', {}, { version: '0.0.0', reasoning: null }, 'unknown', 'unknown'],
    ['that does not run', {}, undefined, 'unknown', 'unknown'],
    ['told not to', { noSkill: true, noContextFiles: true }, { version: '1', reasoning: '' }, 'no', 'no'],
    ['told not to as it is', { extra: ['--no-skills', '-nc'] }, { version: '1', reasoning: '' }, 'no', 'no'],
  ] as const)('%s', (_what, options, greeting, instructions, skills) => {
    const reading = judgedContext(nothing, places(options).flags, greeting)
    expect([reading.instructions.read, reading.skills.read]).toEqual([instructions, skills])
    for (const { read, why } of [reading.instructions, reading.skills]) expect(why === null).toBe(read === 'yes')
  })
})
