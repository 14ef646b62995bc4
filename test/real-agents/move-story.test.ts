/** A conversation with a real agent moves over a real sshd in the program, and comes back to a folder that has changed meanwhile. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import { makeHome } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { open } from '../helpers/screen.ts'
import { sshdPath, startSshd } from '../helpers/sshd.ts'
import { aside, installed, type RealAgent } from './agents.ts'
import { onRealAgents, sent } from './converse.ts'
import { idle, say } from './speak.ts'

onRealAgents('/move', (agent: RealAgent) => {
  test.skipIf(sshdPath === null)(
    'takes it over ssh, and brings it back into a worktree where the folder has changed',
    async () => {
      const script = ['Noted.', 'Blue.', 'Still blue.'].map(text => reply().text(text))
      const model = await startModel(script, { aside })
      const home = makeHome()
      onTestFinished(() => home.remove())
      const far = path.join(home.path, 'far')
      mkdirSync(path.join(far, 'tmp'), { recursive: true })
      const settled = agent.settle(home, { url: model.url, key: true })
      const there = agent.settle({ ...home, path: far }, { url: model.url, key: true })
      const bins = [
        path.dirname(process.execPath),
        `${installed}/node_modules/.bin`,
        '/usr/local/bin',
        '/usr/bin',
        '/bin',
      ].join(':')
      const sshd = await startSshd(path.join(home.path, 's'), { PATH: bins, HOME: far, TMPDIR: `${far}/tmp`, ...there })
      const git = (at: string, ...args: string[]): string =>
        execFileSync('git', [...COMMITTER, ...args], {
          cwd: at,
          env: { PATH: process.env['PATH'], HOME: home.path },
          encoding: 'utf8',
        }).trim()
      const here = (name: string): string => path.join(home.project, name)
      writeFileSync(here('a.txt'), 'one\n')
      writeFileSync(here('.gitignore'), '.env\n')
      git(home.project, 'init', '-q', '-b', 'main', '--template=')
      git(home.project, 'add', '-A')
      git(home.project, 'commit', '-qm', 'first')
      writeFileSync(here('.env'), 'KEY=1\n')
      writeFileSync(here('new.txt'), 'not committed\n')

      const env = {
        ...settled,
        PATH: `${sshd.bin}:${bins}`,
        ZOTUI_ZOT: undefined,
        ZOTUI_PERMISSIONS: undefined,
        XDG_CACHE_HOME: path.join(home.path, '.cache'),
      }
      const zotui = await open({ home, env, columns: 110, rows: 40, args: ['--agent', agent.name] })
      await zotui.see(`${agent.name} decides what it asks`)
      await say(zotui, 'my colour is blue')
      await zotui.see('Noted.')
      await idle(zotui)
      await say(zotui, '/move far')
      await zotui.see(/move to ssh:far/)
      await zotui.see('› Stay here')
      await zotui.press('down', 'enter')
      await zotui.see(/Moved to ssh:far:/)
      const project = path.join(far, 'project')
      expect([existsSync(path.join(project, '.env')), git(project, 'status', '--porcelain')]).toEqual([
        false,
        '?? new.txt',
      ])
      await say(zotui, 'which colour')
      await zotui.see('Blue.')
      await idle(zotui)
      expect(sent(await model.request(2))).toContain('my colour is blue')
      expect(sent(await model.request(2))).not.toContain('earlier-conversation')

      writeFileSync(path.join(project, 'a.txt'), 'changed there\n')
      writeFileSync(here('a.txt'), 'changed here\n')
      await say(zotui, '/move back')
      await zotui.see('› Stay there')
      await zotui.press('down', 'enter')
      await zotui.see(/Back in /)
      expect(readFileSync(here('a.txt'), 'utf8')).toBe('changed here\n')
      await say(zotui, 'and now')
      await zotui.see('Still blue.')
      await idle(zotui)
      expect(sent(await model.request(3))).toContain('which colour')
      await zotui.close()
    },
    120_000,
  )
})
