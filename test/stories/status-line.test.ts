/** The status line: the facts that the user chose, and the line of a command of their own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith, type Home } from '../helpers/home.ts'
import { openDemo, openQuickDemo, openZot, send } from './stage.ts'

const settingsFile = (values: object) => ({ '.config/zotui/config.json': JSON.stringify(values) })

/** Prints a part of the JSON on its input, in colours. */
const script = `#!/bin/sh
sed -n 's/.*"display_name":"\\([^"]*\\)".*"permission_mode":"*\\([a-z]*\\).*"state":"\\([a-z]*\\)".*/\\x1b[32mmine\\x1b[0m \\1 \\2 \\3/p'
echo 'a second line'
`

describe("the user's own status line", () => {
  test('shows the first line of a command, follows the state, and cannot do anything to the terminal', async () => {
    const home = homeWith({ ...settingsFile({ statusLine: 'sh ~/line.sh' }), 'line.sh': script })
    const zotui = await openDemo({ home })
    await zotui.see(/demo-large.*\n {2}mine demo-large allow idle$/m)
    expect(zotui.screen().join('\n')).not.toContain('a second line')
    expect(zotui.drawn('mine')?.color).not.toEqual(zotui.drawn('demo-large allow')?.color)
    await send(zotui, 'tour')
    await zotui.see(/^ {2}mine demo-large allow (?:working|asks)$/m)
    const line = String.raw`printf '\033]0;evil\007\033[2J\033[Hgone \342\200\256abc\n'`
    writeFileSync(join(home.path, 'line.sh'), line)
    await zotui.press('esc')
    await zotui.see('␛]0;evil␇␛[2J␛[Hgone ⟦U+202E⟧abc')
    expect(zotui.around.titles).not.toContain('evil')
    await zotui.close()
    home.remove()
  })

  test('runs in the project folder, gets the permission mode, and reports its failure', async () => {
    const home = homeWith(settingsFile({ statusLine: 'pwd; cat >../told; exit $(cat ../code)' }))
    writeFileSync(join(home.path, 'code'), '0')
    const zotui = await openZot('echo', { home, isGuarded: true })
    await zotui.see(/^ {2}\/.*\/project$/m)
    const told = JSON.parse(readFileSync(join(home.path, 'told'), 'utf8')) as Record<string, unknown>
    expect(told).toMatchObject({ cwd: home.project, permission_mode: 'allow', agent: { name: 'zot' }, machine: null })
    writeFileSync(join(home.path, 'code'), '3')
    await send(zotui, 'hello')
    await zotui.see(/^ {2}statusLine failed with exit code 3$/m)
    await send(zotui, '/settings statusLine none')
    await zotui.gone('statusLine failed')
    await zotui.close()
    home.remove()
  })

  test('never blocks, and ends with zotui', async () => {
    const home = homeWith(settingsFile({ statusLine: 'trap "" TERM; echo $$ >../pid; sleep 4720.1; sleep 4720.1' }))
    const zotui = await openQuickDemo({ home })
    await zotui.until('the command', { check: () => existsSync(join(home.path, 'pid')) })
    await send(zotui, 'help')
    await zotui.see('markdown')
    await zotui.see(/^ {2}statusLine did not answer within 5\.0s$/m)
    await send(zotui, 'help')
    await zotui.until('the command again', { check: () => zotui.children().length > 0 })
    // No child may be left.
    await zotui.close()
    home.remove()
  })

  test('runs for a project only after it is trusted', async () => {
    const home = homeWith({ 'project/.zotui/config.json': '{ "statusLine": "touch ../ran; echo theirs" }' })
    const zotui = await openZot('echo', { home, columns: 120 })
    await zotui.see(/Ignored in .zotui\/config.json until you trust this project \(\/settings trust\): statusLine\.$/m)
    await zotui.see('statusLine = touch ../ran; echo theirs')
    expect(existsSync(join(home.path, 'ran'))).toBe(false)
    await zotui.press('down', 'enter')
    await zotui.see(/^ {2}theirs$/m)
    expect(existsSync(join(home.path, 'ran'))).toBe(true)
    await zotui.close()
    home.remove()
  })
})

describe('the built-in status line', () => {
  test('shows the chosen facts in their order, at once', async () => {
    const home: Home = homeWith(settingsFile({ statusFacts: ['folder', 'model'] }))
    mkdirSync(join(home.project, '.git'))
    writeFileSync(join(home.project, '.git', 'HEAD'), 'ref: refs/heads/topic\n')
    const zotui = await openDemo({ home })
    await zotui.see(/^ {2}demo {3}~\/project {3}demo-large$/m)
    await send(zotui, '/settings statusFacts model, branch')
    await zotui.see('statusFacts is now model, branch.')
    await zotui.press('x', 'backspace')
    await zotui.see(/^ {2}demo {3}demo-large {20,}topic$/m)
    await send(zotui, '/settings statusFacts model, brunch')
    await zotui.see('statusFacts must be a list of model, reasoning, mode,')
    await send(zotui, '/settings statusFacts none')
    await zotui.see('statusFacts is now none.')
    await zotui.press('x', 'backspace')
    await zotui.see(/^ {2}demo$/m)
    await zotui.close()
    home.remove()
  })
})
