/** A race of real agents in a real repository: asked first, made ready, run, checked, compared, combined, taken, discarded. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { reply, startModel, type Step } from '../helpers/model.ts'
import { open } from '../helpers/screen.ts'
import { allEnded, holders } from '../stories/holders.ts'
import { aside, installed, isInstalled, realAgents, type RealAgent } from './agents.ts'
import { say } from './speak.ts'

const NINE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'

function gitOf(home: Home) {
  return (...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: home.project,
      env: environment(home.path),
      encoding: 'utf8',
    }).trim()
}

/** Codex asks its model, too, where its own sandbox does not start. */
const ALLOWED = reply().text('{"outcome":"allow"}')

/** Claude edits only what it has read. */
function edits(agent: RealAgent, line: string): Step[] {
  const edit = reply().tool(...agent.edit('a.txt', line, line.toUpperCase()))
  return agent.name === 'claude'
    ? [reply().tool('Bash', { command: 'sed -i s/two/TWO/ a.txt', description: 'a test' })]
    : [edit]
}

describe.skipIf(!realAgents.every(isInstalled))('a race', () => {
  test('of claude and codex: one of them is taken, a change of the other one comes along, the rest goes', async () => {
    const home = makeHome()
    onTestFinished(() => {
      for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
      home.remove()
    })
    const git = gitOf(home)
    writeFileSync(path.join(home.project, 'a.txt'), NINE)
    writeFileSync(path.join(home.project, '.gitignore'), '.env\n/ready\n')
    writeFileSync(path.join(home.project, '.env'), 'KEY=1\n')
    git('init', '-q', '-b', 'main', '--template=')
    git('add', '-A')
    git('commit', '-qm', 'first')

    const variables: Record<string, string> = {}
    for (const agent of realAgents) {
      const line = agent.name === 'claude' ? 'two' : 'nine'
      const model = await startModel([...edits(agent, line), reply().text(`It is fixed by ${agent.name}.`)], {
        aside: asked =>
          JSON.stringify(asked.body).includes('"x-openai-subagent":"guardian"') ? ALLOWED : aside(asked),
      })
      Object.assign(variables, agent.settle(home, { url: model.url, key: true }))
    }
    const zotui = await open({
      home,
      columns: 110,
      rows: 40,
      args: ['--agent', 'claude'],
      env: {
        ...variables,
        PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
        XDG_CACHE_HOME: path.join(home.path, '.cache'),
        ZOTUI_RACE_CHECK: 'cat .env ready; grep -q TWO a.txt',
        ZOTUI_WORKTREE_FILES: '.env',
        ZOTUI_WORKTREE_SETUP: 'echo made ready > ready',
      },
    })
    await zotui.see('claude decides what it asks')
    await say(zotui, '/race claude,codex fix it')
    await zotui.see(/Begin the race/)
    await zotui.press('down', 'enter')
    await zotui.see(/^ {2}race of 2/m)
    await zotui.see(/claude +done +check ok +\+1 -1[^]*codex +done +check exit 1 +\+1 -1/, { timeout: 40_000 })
    await zotui.press('down')
    await zotui.see(/KEY=1\s+made ready/)
    await zotui.press('up', 'p')
    await zotui.see(/Merge +into your branch/)
    await zotui.press('enter')
    await zotui.see(/Merge it +1 file changed/)
    await zotui.press('enter')
    await zotui.see(/Merged: 1 file changed/)
    await zotui.see(/& fix it is done/)
    await say(zotui, '/race')
    await zotui.see(/claude +taken/)
    await zotui.press('down', 'd')
    await zotui.see(/a\.txt +\+1 -1/)
    await zotui.press('enter')
    await zotui.see('NINE')
    await zotui.type('+')
    await zotui.see(/Took \d+ lines? of a\.txt/)
    await zotui.press('q')
    await zotui.see(/a\.txt +\+1 -1/)
    await zotui.press('q')
    await zotui.see(/^ {2}race of 2/m)
    await zotui.press('x')
    await zotui.see(/codex-fix-it-1: 1 uncommitted file and 2 ignored files or folders will be lost/)
    await zotui.see('› Keep them')
    await zotui.press('down', 'enter')
    await zotui.see('The worktree of codex was removed.')
    expect(readFileSync(path.join(home.project, 'a.txt'), 'utf8')).toBe(
      NINE.replace('two', 'TWO').replace('nine', 'NINE'),
    )
    expect(git('branch', '--list', '--format=%(refname:short)').split('\n')).toEqual(['main', 'zotui/claude-fix-it-1'])
    await allEnded(home)
    await zotui.close()
  }, 120_000)
})
