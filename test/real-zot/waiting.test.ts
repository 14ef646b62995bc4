/** A waiting call of a real zot when the agent is replaced, and things that answer no question. */
import { existsSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isLong } from '../helpers/length.ts'
import { reply } from '../helpers/model.ts'
import { idle, openZot, say, talk, zot, type Talk } from './talk.ts'

const asking = { env: { ZOTUI_PERMISSIONS: 'ask' } }

/** A conversation in which a command that makes the file `ran` waits for its answer. */
async function asked(): Promise<Talk> {
  const started = await talk([reply().tool('bash', { command: 'touch ran' }), reply().text('Over.')], asking)
  await say(started.zotui, 'go')
  await started.zotui.see(/› \d/)
  return started
}

describe.skipIf(!zot)('a call of a real zot that waits', () => {
  test.each([
    ['/restart', 'Restarted zot'],
    ['/clear', '1 queued'],
    ['/model claude-opus-4-5', '1 queued'],
  ])('does not run after %s', async (line, seen) => {
    const { zotui, project } = await asked()
    await zotui.type(line)
    await zotui.press('enter')
    await zotui.see(seen)
    await zotui.press('esc')
    await idle(zotui)
    // Nothing can run any more.
    await zotui.close()
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
  })

  test.each([
    ['/fork', '1 queued'],
    ['/rewind', '1 queued'],
    ['/resume', 'this one'],
    ['/diff', 'a question waits'],
    ['/exit', 'a conversation is still working'],
  ])('does not run because of %s', async (line, seen) => {
    const { zotui, project } = await asked()
    await zotui.type(line)
    await zotui.press('enter')
    await zotui.see(seen)
    if (line === '/exit') {
      await zotui.press('down')
      await zotui.press('enter')
      await zotui.exit()
    }
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
  })

  test('runs as the user wrote it, also when the mode then allows that', async () => {
    const { zotui, project } = await asked()
    await zotui.type('e')
    await zotui.see('Run this instead:')
    await zotui.press('ctrl+u')
    await zotui.type('ls -a')
    await zotui.press('enter')
    await zotui.see('Yes, run what you wrote')
    await zotui.press('shift+tab')
    await zotui.see('Over.')
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
  })

  test('is not asked again after a kill and --continue, and did not run', async () => {
    const first = await talk([reply().tool('bash', { command: 'touch ran' })], asking)
    await say(first.zotui, 'go')
    await first.zotui.see(/› \d/)
    first.zotui.kill('SIGKILL')
    await first.zotui.exit()
    const { home, cwd } = first.zotui
    const args = [...first.model.flags, '--continue']
    const zotui = await openZot({ args, ...asking, home, cwd })
    await zotui.see('Resumed the session')
    await zotui.see(/touch ran +(?:not answered|stopped)/)
    expect(existsSync(path.join(cwd, 'ran'))).toBe(false)
  })

  test.each([
    'cat link/../passwd',
    'rg -ea /etc/passwd',
    'printf x > .git/config',
    'env -S "touch ran"',
    "sh -c 'touch ran'",
    'ls; touch ran',
    'ls $(touch ran)',
    'ls `touch ran`',
    'cat <(touch ran)',
    'ls\ntouch ran',
    'ls & touch ran',
    'ls() { touch ran; }; ls',
    'alias ls="touch ran"\nls',
    'PATH=.:$PATH ls',
    'for PATH in .; do ls; done',
    'cat <<E\n$(touch ran)\nE',
    'echo ${x:=$(touch ran)}',
    'echo "${x[$(touch ran)]}"',
    'echo $((a[$(touch ran)]))',
    'find . -exec touch ran \\;',
    'sed -n "1e touch ran" a',
    'sort -o ran a',
    'git -c core.fsmonitor="touch ran" status',
    'git diff --output=ran',
    'trap "touch ran" EXIT',
    'ls \\\n; touch ran',
    'ls #\rtouch ran',
  ])('is asked about before %j', async command => {
    const { zotui, project } = await talk([reply().tool('bash', { command }), reply().text('Over.')], asking)
    symlinkSync('/etc/ssl', path.join(project, 'link'))
    await say(zotui, 'go')
    await zotui.see('Run this command?')
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
    await zotui.see(/› \d/)
    await zotui.type('n')
    await zotui.see('Over.')
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
  })

  test.runIf(isLong)(
    'runs only when it is allowed, ten minutes later',
    async () => {
      const { zotui, project } = await asked()
      // The time itself is what is tried.
      await new Promise(resolve => setTimeout(resolve, 600_000))
      expect(existsSync(path.join(project, 'ran'))).toBe(false)
      await zotui.type('y')
      await zotui.see('Over.')
      expect(existsSync(path.join(project, 'ran'))).toBe(true)
    },
    700_000,
  )
})
