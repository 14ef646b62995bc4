/** The names in files and on command lines may be those that every object inherits: they are unknown names like any other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readPlainFlags } from '../../bin/cli/plain-flags.ts'
import { readSettingsDocument } from '../../src/config/document/document.ts'
import { loadKeys } from '../../src/config/keys/load.ts'
import { readFrontmatter } from '../../src/config/prompts/frontmatter.ts'
import { readVariables } from '../../src/config/typed.ts'
import { exportFormatOf } from '../../src/export/formats.ts'
import { priceOf } from '../../src/agents/meerkat/prices.ts'
import { parseRules } from '../../src/permissions/rules/rule.ts'
import { readOn } from '../../src/platform/remote/target.ts'
import { lookup, namesOf, put } from '../../src/text/lookup.ts'
import { readTheme } from '../../src/style/definition.ts'
import { isZotTheme, readZotTheme } from '../../src/style/zot-format.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(inheritedNames)('%s', name => {
  /** As JSON has it: a member of its own. */
  const object = (value: unknown): string => `{ ${JSON.stringify(name)}: ${JSON.stringify(value)} }`

  test('is in a table only if it was put there', () => {
    const table: Record<string, number> = { a: 1 }
    expect(lookup(table, name)).toBeUndefined()
    put(table, name, 2)
    expect(lookup(table, name)).toBe(2)
    expect(Object.getPrototypeOf(table)).toBe(Object.prototype)
    expect(namesOf(table)).toEqual(['a', name])
  })

  test('is no setting and no variable of one', () => {
    const { values, notices } = readSettingsDocument(object(true))
    expect(values).toEqual({})
    expect(notices).toMatchObject([{ text: expect.stringContaining(`there is no setting ${name}`) }])
    expect(readVariables({ [name]: 'x', [`ZOTUI_${name.toUpperCase()}`]: 'x' }).values).toEqual({})
  })

  test('is a wrong value of every setting that has names for its values', () => {
    for (const setting of ['detail', 'permissions', 'theme', 'thinking'])
      expect(readSettingsDocument(`{ ${JSON.stringify(setting)}: ${object(1)} }`).values).toEqual({})
    expect(readSettingsDocument(`{ "detail": ${JSON.stringify(name)} }`).values).toEqual({})
  })

  test.each([
    ['a context', (word: string) => `{ ${word}: { "ctrl+t": "submit" } }`],
    ['an action', (word: string) => `{ "composer": { "ctrl+t": ${word} } }`],
    ['a key', (word: string) => `{ "composer": { ${word}: "submit" } }`],
  ])('in keys.json as %s causes a notice', async (_place, text) => {
    const path = join(folder, 'keys.json')
    writeFileSync(path, text(JSON.stringify(name)))
    const { rows, notices } = await loadKeys([{ context: 'composer', name: 'submit', keys: ['enter'] }], path)
    expect(rows).toEqual([{ context: 'composer', name: 'submit', keys: ['enter'] }])
    expect(notices).toHaveLength(1)
  })

  test('in a theme, as a meaning, a colour and the theme that it is based on, is a mistake', () => {
    const written: unknown = JSON.parse(`{ "extends": ${JSON.stringify(name)}, "styles": ${object('red')} }`)
    const { theme, problems } = readTheme(written, name, () => null)
    expect(problems.length).toBeGreaterThan(0)
    expect(theme.name).toBe(name)
    expect(isZotTheme(JSON.parse(object(1)))).toBe(false)
    const zots: unknown = JSON.parse(`{ "accent": ${JSON.stringify(name)}, "syntax": ${object({ fg: 1 })} }`)
    expect(readZotTheme(zots, name, 'dark', () => null).theme.name).toBe(name)
  })

  test('in the head of a command file is ignored', async () => {
    const { field } = await readFrontmatter(`---\n${name}: x\ndescription: y\n---\nwords`)
    expect([field('description'), field('argument-hint')]).toEqual(['y', null])
  })

  test('as a flag, a way of --on, an export format, a model and a tool of a rule is unknown', () => {
    expect(readPlainFlags([`--${name}`]).input).toEqual([`--${name}`])
    expect(readOn(`${name.toLowerCase()}:place`)).toMatchObject({ ok: false })
    expect(exportFormatOf(name)).toBeNull()
    expect(priceOf({}, name)).toBeNull()
    expect(parseRules([{ effect: 'deny', text: name, source: 'user', place: '' }])).toMatchObject([
      { tool: name.toLowerCase() },
    ])
  })
})
