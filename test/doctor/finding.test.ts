import { describe, expect, test } from 'vitest'
import { reportText, safeToShow, type ReportSection } from '../../src/doctor/finding.ts'
import { displayWidth } from '../../src/text/lines/width.ts'

const sections: ReportSection[] = [
  {
    title: 'Agent',
    findings: [
      { name: 'zot', state: 'broken', found: 'zot was not found', so: 'install it with `go install zot@latest`' },
      { name: 'synchronized output', state: 'unknown', found: 'not told', so: 'frames may be seen half drawn' },
    ],
  },
  { title: 'Files', findings: [{ name: 'settings', state: 'ok', found: 'no mistakes', so: '' }] },
]

describe('the report', () => {
  test('has one line for each finding if there is room', () => {
    expect(reportText(sections, Infinity)).toBe(`Agent
  BROKEN   zot                  zot was not found; install it with \`go install zot@latest\`
  unknown  synchronized output  not told; frames may be seen half drawn

Files
  ok       settings             no mistakes`)
  })

  test('continues below the finding if there is less room', () => {
    expect(reportText(sections.slice(0, 1), 72)).toBe(`Agent
  BROKEN   zot                  zot was not found; install it with \`go
                                install zot@latest\`
  unknown  synchronized output  not told; frames may be seen half drawn`)
  })

  test('continues below the names on narrow screens', () => {
    expect(reportText(sections, 40)).toBe(`Agent
  BROKEN   zot
    zot was not found; install it with
    \`go install zot@latest\`
  unknown  synchronized output
    not told; frames may be seen half
    drawn

Files
  ok       settings
    no mistakes`)
  })

  test.each([20, 40, 66, 80, 120])('is never wider than %i', columns => {
    const lines = reportText(sections, columns).split('\n')
    // No name is broken.
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(Math.max(columns, 30))
  })
})

test('the report contains nothing personal', () => {
  const found = [
    'zot at /home/a.b/go/bin/zot, /mnt/users/a.b/x, /mnt/users/axb, a.b',
    String.raw`C:\Users\a.b\zot.exe; key sk-12345`,
  ].join(' ')
  const hidden = safeToShow(
    [{ title: 'Files in /home/a.b', findings: [{ name: 'n', state: 'ok', found, so: found }] }],
    {
      homes: ['/home', '/home/a.b'],
      user: 'a.b',
      redact: text => text.replaceAll('sk-12345', 'sk-[hidden]'),
    },
  )
  const expected = [
    'zot at ~/go/bin/zot, /mnt/users/<you>/x, /mnt/users/axb, a.b',
    String.raw`C:\Users\<you>\zot.exe; key sk-[hidden]`,
  ].join(' ')
  expect(hidden).toEqual([
    { title: 'Files in ~', findings: [{ name: 'n', state: 'ok', found: expected, so: expected }] },
  ])
})
