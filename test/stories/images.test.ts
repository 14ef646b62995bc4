/** A user attaches images: from the clipboard, and by pasting or dropping a path. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { makePng, samples } from '../platform/images/samples.ts'
import type { Home } from '../helpers/home.ts'
import { share } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, lastingHome, letGo, openDemo, openEcho, openIn, openZot, send, startAfresh } from './stage.ts'

/** A desktop on which wl-paste gives this: `clip` is a file of what it has, of this type. */
const clipboard = (type: string, content: Buffer | string) => (home: Home) => {
  const folder = join(home.path, 'tools')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'clip'), content)
  const script = `case "$*" in --list-types) echo ${type};; *) exec cat '${join(folder, 'clip')}';; esac`
  writeFileSync(join(folder, 'wl-paste'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'wl-paste'), 0o755)
  return { PATH: `${folder}:${process.env['PATH']}`, WAYLAND_DISPLAY: 'wayland-0' }
}

const size = samples.png.length

// The numbers of images go on: the test that names them comes first.
const echo = share(
  () =>
    openEcho({ env: home => ({ EDITOR: `sed -i 's/look/do look/'`, ...clipboard('image/png', samples.png)(home) }) }),
  startAfresh,
)

describe.skipIf(process.platform === 'win32')('a path', () => {
  test('too many images for a prompt are rejected, and the draft stays', async () => {
    const zotui = await echo()
    writeFileSync(join(zotui.cwd, 'big.png'), makePng(64, 48, 6_000_000))
    for (const number of [1, 2]) {
      await zotui.paste('./big.png')
      await zotui.see(`[Image #${number} 64x48 6 MB]`)
    }
    await zotui.press('enter')
    await zotui.see('The 2 images have 12 MB; one prompt can carry 11 MB.')
    await zotui.see('▌ [Image #1 64x48 6 MB] [Image #2 64x48 6 MB]')
    await zotui.press('backspace')
    await expectDraft(zotui, '[Image #1 64x48 6 MB]')
    await zotui.press('enter')
    await zotui.see(/I see image\/png of 6000\d\d\d bytes/)
  })

  test('a pasted path attaches the image, and Backspace deletes it as one', async () => {
    const zotui = await echo()
    writeFileSync(join(zotui.cwd, 'a picture.png'), samples.png)
    await zotui.paste(`${join(zotui.cwd, 'a\\ picture.png')} `)
    await zotui.see(/\[Image #\d 300x200/)
    await zotui.press('backspace')
    await expectDraft(zotui, '')
  })

  test.each([
    ['Enter', '\x1b[13u'],
    ['Ctrl+Enter', '\x1b[13;5u'],
  ])(
    'an image that is still read is waited for by %s, and pressing it again sends nothing else',
    async (_name, key) => {
      const zotui = await openEcho({ terminal: { kitty: true } })
      writeFileSync(join(zotui.cwd, 'slow.png'), makePng(64, 48, 5_000_000))
      await zotui.raw(`\x1b[200~./slow.png\x1b[201~${key}${key}`)
      await zotui.see(/I see image\/png of 5000\d\d\d bytes/)
      expect(zotui.screen().join('\n')).not.toMatch(/nothing to send|Stopped/)
    },
  )

  test('an image stays attached after editing in the editor', async () => {
    const zotui = await echo()
    writeFileSync(join(zotui.cwd, 'p.png'), samples.png)
    await zotui.type('look ')
    await zotui.paste('./p.png')
    await zotui.see(/▌ look \[Image #\d/)
    await zotui.press('ctrl+g')
    await zotui.see(/▌ do look \[Image #\d/)
    await zotui.press('enter')
    await zotui.see(`I see image/png of ${size} bytes.`)
    expect(zotui.children().length).toBeGreaterThan(0)
  })
})

describe.skipIf(process.platform !== 'linux')('the clipboard', () => {
  test('Ctrl+V attaches an image, and the agent gets it, also on /retry', async () => {
    const zotui = await echo()
    clipboard('image/png', samples.png)(zotui.home)
    await zotui.type('what is ')
    await zotui.press('ctrl+v')
    await zotui.see(/▌ what is \[Image #\d 300x200 \d+ B\]$/m)
    await zotui.type('?')
    await zotui.press('enter')
    await zotui.see(`I see image/png of ${size} bytes.`)
    await zotui.see(/^▌ what is \[Image #\d 300x200 \d+ B\]\?$/m)
    await zotui.see(turnEnd)
    await send(zotui, '/retry')
    await zotui.until('the answer again', {
      check: () => zotui.history().join('\n').split(`I see image/png of ${size} bytes.`).length === 3,
    })
  })

  test('/paste inserts text', async () => {
    const zotui = await echo()
    clipboard('text/plain', 'words of the clipboard')(zotui.home)
    await send(zotui, '/paste')
    await expectDraft(zotui, 'words of the clipboard')
  })

  test('a prompt that waits for it is shown, and what is typed meanwhile is the next draft', async () => {
    const gate = 'read-it'
    const zotui = await openEcho({ env: clipboard('image/png', samples.png) })
    const tool = join(zotui.home.path, 'tools', 'wl-paste')
    const waiting = `while [ ! -e '${join(zotui.home.path, gate)}' ]; do sleep 0.05; done`
    writeFileSync(tool, readFileSync(tool, 'utf8').replace('\n', `\n${waiting}\n`))
    await zotui.type('what is ')
    await zotui.press('ctrl+v')
    await zotui.press('enter')
    await zotui.see('waits until its images are read   "what is "')
    await zotui.type('the next prompt')
    await expectDraft(zotui, 'the next prompt')
    letGo(zotui, gate)
    await zotui.see(`I see image/png of ${size} bytes.`)
    await zotui.gone('waits until its images are read')
    await expectDraft(zotui, 'the next prompt')
    expect(zotui.history().join('\n')).toMatch(/▌ what is \[Image #1 300x200/)
  })

  test('a missing clipboard tool is reported with what to install', async () => {
    const zotui = await openDemo({ env: { PATH: '/nonexistent', WAYLAND_DISPLAY: 'wayland-0' } })
    await zotui.type('a draft')
    await zotui.press('ctrl+v')
    await zotui.see('No clipboard tool was found. Install wl-clipboard.')
    await expectDraft(zotui, 'a draft')
  })
})

test.skipIf(process.platform !== 'linux')(
  'images of the clipboard and after an @ survive a kill if their files have not changed, and the file of the clipboard is deleted after sending',
  async () => {
    const home = lastingHome()
    for (const name of ['one.png', 'two.png']) writeFileSync(join(home.project, name), samples.png)
    const drafts = join(home.path, '.local', 'state', 'zotui', 'drafts')
    const files = () => (existsSync(drafts) ? readdirSync(drafts, { recursive: true, encoding: 'utf8' }) : [])
    const before = await openIn(home, { env: clipboard('image/png', samples.png) })
    await before.press('ctrl+v')
    await before.see(/▌ \[Image #1 300x200 \d+ B\]$/m)
    for (const name of ['one', 'two']) {
      await before.type(` @${name}.p`)
      await before.see(new RegExp(`› ${name}\\.png`))
      await before.press('tab')
      await before.gone(`@${name}`)
    }
    const draft = /▌ \[Image #1 300x200 \d+ B\] \[Image #2 300x200 \d+ B\] +\[Image #3 300x200 \d+ B\]$/m
    await before.see(draft)
    // Put aside, they are no less there.
    await before.press('ctrl+s')
    await before.type('other words')
    await before.press('ctrl+s')
    await before.see(draft)
    const kept = () =>
      files()
        .filter(name => name.endsWith('state.json'))
        .map(name => readFileSync(join(drafts, name), 'utf8'))
    await before.until('all on disk', {
      check: () =>
        files().some(name => /images.[\da-f]{64}$/.test(name)) &&
        kept().some(text => ['"stash":"other words"', 'two.png', 'Image #3'].every(each => text.includes(each))),
    })
    before.kill('SIGKILL')
    await before.close()

    writeFileSync(join(home.project, 'two.png'), makePng(10, 10, 900))
    const after = await openIn(home)
    await after.see(/your draft and\s+a stashed draft/)
    await after.see(/Only the label \[Image #3 300x200 \d+ B\] will be sent: two\.png has changed\./)
    await after.see(/▌ \[Image #1 300x200 \d+ B\] \[Image #2 300x200 \d+ B\] +\[Image #3/)
    await after.type('?')
    await after.press('enter')
    // Two images, and the label of the third.
    await after.see(
      new RegExp(`I\\s+see\\s+image/png\\s+of\\s+${size}\\s+bytes\\s+and\\s+image/png\\s+of\\s+${size}\\s+bytes\\.`),
    )
    expect(
      after
        .history()
        .join('\n')
        .split(/I\s+see\s+image/),
    ).toHaveLength(2)
    await after.until('nothing left of it', { check: () => !files().some(name => /images/.test(name)) })
    await after.press('ctrl+s')
    await expectDraft(after, 'other words')
  },
)

const isBusy = (title: string): boolean => title.startsWith('●')

describe('images in earlier prompts', () => {
  test('are restored after a restart if their files have not changed', async () => {
    const home = lastingHome()
    for (const name of ['sent.png', 'unsent.png', 'changed.png']) writeFileSync(join(home.project, name), samples.png)
    const before = await openZot('echo', { home })
    await before.see(/anthropic\/sonnet/)
    for (const name of ['changed', 'sent']) {
      await before.type(`${name} `)
      await before.paste(`./${name}.png`)
      await before.see(new RegExp(`▌ ${name} \\[Image #\\d 300x200 \\d+ B\\]$`, 'm'))
      const turns = before.around.titles.filter(isBusy).length
      await before.press('enter')
      await before.see(/\d B\]\.\s+I see image/)
      // During a turn, Ctrl+C would stop it.
      await before.until('the end of the turn', {
        check: () => before.around.titles.filter(isBusy).length > turns && !isBusy(before.around.title),
      })
    }
    await before.type('unsent ')
    await before.paste('./unsent.png')
    await before.see(/▌ unsent \[Image #\d 300x200 \d+ B\]$/m)
    await before.press('ctrl+c')
    await expectDraft(before, '')
    await before.press('ctrl+d')
    await before.exit()
    await before.close()

    writeFileSync(join(home.project, 'changed.png'), makePng(10, 10, 900))
    const after = await openZot('echo', { home })
    await after.see(/anthropic\/sonnet/)
    await after.press('up')
    await after.see(/▌ unsent \[Image #\d 300x200 \d+ B\]$/m)
    await after.press('enter')
    await after.see(`I see image/png of ${size} bytes.`)
    await after.press('ctrl+r')
    await after.type('changed')
    await after.press('enter')
    await after.see(/Only the label \[Image #\d 300x200 \d+ B\] will be sent: changed\.png has changed\./)
    await after.press('ctrl+u', 'up', 'up', 'enter')
    await after.see(/You said: sent \[Image #\d 300x200 \d+ B\]\.\s+I see image/)
  })
})
