/** The screen as a user sees it: the tour at several sizes, a window that is resized, and nothing where nothing belongs. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { open, share } from '../helpers/screen.ts'
import { turnEnd, turnsEnded } from '../helpers/turn-end.ts'
import { exitAtRest, expectDraft, lastingHome, openDemo, openQuickDemo, send, startAfresh } from './stage.ts'

/** One demo for what needs no size of its own. */
const demo = share(openQuickDemo, startAfresh)

describe('the tour', () => {
  test('shows text, every kind of tool with its result, and a failure', { timeout: 90_000 }, async () => {
    // The calls have moments that have to be seen.
    const zotui = await openDemo({ columns: 120, rows: 40, env: { ZOTUI_DEMO_SPEED: '3' } })
    await send(zotui, 'tour')
    await zotui.see(/running bash/, { timeout: 40_000 })
    await zotui.see(/transforming|rendering chunks/)
    await zotui.see(/write +CHANGELOG\.md .*composing/)
    await zotui.see(turnEnd, { timeout: 60_000 })
    for (const tool of [
      /● glob +src\/\*\*\/\*\.ts/,
      /● read +src\/parser\.ts .*\d+ lines/,
      /● bash +npm run build .*\d\.\ds/,
      /● write +CHANGELOG\.md .*\d+ lines/,
      /● edit +src\/parser\.ts .*\+\d+ -\d+/,
      /● skill +reviewing/,
      /✗ bash +npm test.*exit 1/,
      /\+.*maxDepth = 256/,
      /-.*maxDepth = 64/,
      /expected 3, got 2/,
      /6 tools|7 tools/,
    ])
      await zotui.seeInHistory(tool)
    zotui.committedOnce(['● glob', '● skill', 'built in 3.1s', 'That was the tour', '1 failed, 27 passed'])
  })

  test('nested calls are shown below their tool', async () => {
    const zotui = await demo()
    await send(zotui, 'nested')
    await zotui.see(turnEnd)
    await zotui.see(
      /● codemode[\s\S]*● glob[\s\S]*✗ bash +wc -l src\/lexer\.ts[\s\S]*● bash +wc -l src\/parser\.ts[\s\S]*● models\.classify/,
    )
  })
})

describe('at every size', () => {
  test.each([
    [80, 24],
    [40, 20],
    [20, 8],
    [12, 5],
  ])('%d x %d: text and tools, nothing taller than the screen, nothing twice', async (columns, rows) => {
    const zotui = await open({ args: ['--demo'], columns, rows, env: { ZOTUI_DEMO_SPEED: '3' } })
    await zotui.see(/^▌$/m)
    await send(zotui, 'edit')
    await zotui.type('a draft that is longer than the smallest window')
    await zotui.seeInHistory('Fixed:')
    await zotui.press('ctrl+u')
    await zotui.type('/')
    await expectDraft(zotui, '/')
    await zotui.press('esc', 'backspace')
    await expectDraft(zotui, '')
    await zotui.press('alt+p')
    await zotui.until('the picker', { check: () => rows < 8 || zotui.screen().some(row => row.includes('demo-small')) })
    await zotui.press('esc')
    expect(zotui.tallest).toBeLessThan(rows)
    zotui.committedOnce(['▌ edit', 'A slip', 'Fixed:'])
  })

  test('the live zone never exceeds the screen at any height', async () => {
    const zotui = await openQuickDemo({ rows: 14 })
    for (let turn = 1; turn < 4; turn += 1) {
      await send(zotui, 'thanks')
      await zotui.until('the turn', { check: () => turnsEnded(zotui.history()) >= turn })
      for (const letter of 'abc') {
        await zotui.type(letter)
        await zotui.see(new RegExp(`${letter}$`, 'm'))
        await zotui.press('ctrl+l', 'ctrl+j')
      }
      await zotui.press('ctrl+c')
      await expectDraft(zotui, '')
    }
  })

  test('resizes and a drag of forty steps while text streams show every line once, leave one live zone and lose nothing', async () => {
    const zotui = await openDemo({ columns: 100, rows: 30, env: { ZOTUI_DEMO_SPEED: '2' } })
    await send(zotui, 'long')
    await zotui.seeInHistory('2. The')
    for (const columns of [90, 80, 70, 60, 70, 85]) zotui.resize(columns, 30)
    await zotui.seeInHistory('5. The')
    zotui.resize(60, 20)
    await zotui.seeInHistory('8. The')
    zotui.resize(110, 35)
    await zotui.seeInHistory('10. The')
    await zotui.type('a draft')
    for (let step = 0; step < 40; step += 1) {
      // Narrower in all, but for every third step; the height goes along for some of it.
      const columns = 100 - step + (step % 3 === 0 ? 12 : 0)
      zotui.resize(columns, step % 8 < 4 ? 30 : 30 - (step % 4))
      await setImmediate()
    }
    await zotui.seeInHistory('14. The')
    await zotui.press('esc')
    await zotui.see(/Stopped/)
    const lines = zotui.history()
    const numbers = lines.flatMap(line => /\b(\d+)\. The \w+$/.exec(line)?.[1] ?? []).map(Number)
    expect(numbers).toEqual(Array.from({ length: Math.max(14, numbers.length) }, (_, index) => index + 1))
    expect(lines.filter(line => /^▌ a draft$/.test(line))).toHaveLength(1)
    expect(lines.filter(line => /^ +demo .*demo-large/.test(line))).toHaveLength(1)
  })

  test('growing and shrinking keeps the draft, the caret and the output of the shell, and leaves no half line', async () => {
    const zotui = await openDemo({ shell: ['$ ls', 'README.md', '$ zotui'] })
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    const lines = ['$ ls', 'README.md', '$ zotui', 'zotui 0', 'Enter sends', 'Welcome to zotui', '▌ a draft']
    const resized = async (columns: number, rows: number) => {
      zotui.resize(columns, rows)
      await zotui.until(`${columns} columns to be used`, {
        check: () => zotui.screen().some(row => row.endsWith('~/project') && row.length === columns),
      })
      await expectDraft(zotui, 'a draft')
    }
    // The terminal moves the caret with rows below it.
    for (const columns of [70, 60, 45, 72, 50, 90, 55, 80]) {
      await resized(columns, 24)
      zotui.committedOnce(lines)
    }
    await resized(50, 10)
    await resized(100, 40)
    await resized(60, 20)
    await resized(80, 24)
    zotui.committedOnce(lines)
  })
})

test('blank lines in code are kept', async () => {
  const zotui = await demo()
  await send(zotui, 'markdown')
  await zotui.see(turnEnd)
  const lines = zotui.history().map(line => line.trimEnd())
  const at = lines.lastIndexOf('  const segmenter = new Intl.Segmenter()')
  expect(lines.slice(at, at + 3).map(line => line.slice(0, 5))).toEqual(['  con', '', '  /**'])
})

describe('minimal output', () => {
  test('an idle screen is not redrawn', async () => {
    const zotui = await demo()
    await send(zotui, 'thanks')
    await zotui.see(turnEnd)
    await zotui.press('ctrl+c')
    await zotui.see(/again to exit/)
    await zotui.gone(/again to exit/)
    const before = zotui.bytes().length
    await zotui.press('f12')
    await zotui.press('f12')
    expect(zotui.bytes().length).toBe(before)
  })

  test('colours can be turned off, and the demo leaves no file behind', async () => {
    const home = lastingHome()
    const zotui = await openQuickDemo({ home, env: { NO_COLOR: '1' } })
    await send(zotui, 'refused')
    await zotui.see(turnEnd)
    await send(zotui, 'edit')
    await zotui.until('the second turn', { check: () => turnsEnded(zotui.history()) === 2 })
    expect(zotui.bytes().toString()).not.toMatch(/\u001B\[(?:3|4|9|10)\d(?:;[\d;]*)?m/)
    await exitAtRest(zotui)
    await zotui.exit()
    await zotui.close()
    const files = readdirSync(home.path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(home.path.length))
      .filter(path => !/\.cache|node-compile-cache/.test(path))
    expect(files.filter(path => !path.startsWith('/.local/state/zotui/'))).toEqual([])
    expect(files.filter(path => /session|draft|usage|history/.test(path))).toEqual([])
  })
})
