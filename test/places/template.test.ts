import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readTemplate, templateNames, type TemplateKind } from '../../src/places/template.ts'

const kind: TemplateKind = { folder: 'containers', writer: 'zotui container template' }
const schema = z.strictObject({ image: z.string(), limits: z.strictObject({ cpus: z.number() }).optional() })

function configWith(text: string, name = 'web'): { config: string; path: string } {
  const config = mkdtempSync(join(tmpdir(), 'zotui-places-'))
  mkdirSync(join(config, 'containers'), { mode: 0o700 })
  const path = join(config, 'containers', `${name}.yaml`)
  writeFileSync(path, text, { mode: 0o600 })
  return { config, path }
}

const reading = (config: string, name = 'web') => readTemplate(config, kind, name, schema)

test('a template is read and checked', async () => {
  const { config, path } = configWith('# mine\nimage: node:24\nlimits: { cpus: 2 }\n')
  const template = await reading(config)
  expect(template.values).toEqual({ image: 'node:24', limits: { cpus: 2 } })
  expect(template.fault(['limits', 'cpus'], 'there are no two').message).toBe(
    `${path}:3: limits.cpus: there are no two.`,
  )
})

test.each([
  ['image: node\nlimits:\n  cpus: many\n', 3, 'limits.cpus: '],
  ['image: node\nimagine: other\n', 2, 'imagine: there is no such key'],
  ['limits: { cpus: 2 }\n', 1, 'image: '],
  ['image: [a\n', 2, ''],
  ['image: node\nimage: other\n', 2, 'Map keys must be unique'],
  ['', 1, ''],
])('a fault names the file and its line: %j', async (text, line, words) => {
  const { config, path } = configWith(text)
  await expect(reading(config)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`${path}:${line}: ${words}`),
  })
})

test('a file that names its own parts many times is refused', async () => {
  const { config } = configWith('image: &a node\nlimits: *a\n')
  await expect(reading(config)).rejects.toMatchObject({ exitCode: 2 })
})

test('a link is no template, and neither is a file that others can change', async () => {
  const { config, path } = configWith('image: node\n')
  chmodSync(path, 0o666)
  await expect(reading(config)).rejects.toThrow(`${path} can be changed by other users.`)
  symlinkSync(path, join(config, 'containers', 'other.yaml'))
  await expect(reading(config, 'other')).rejects.toThrow('other.yaml is a link.')
  chmodSync(path, 0o600)
  chmodSync(join(config, 'containers'), 0o777)
  await expect(reading(config)).rejects.toThrow('can be changed by other users.')
})

test('a template that is not there is named with those that are', async () => {
  const { config } = configWith('image: node\n', 'website')
  await expect(reading(config, 'webiste')).rejects.toMatchObject({ exitCode: 2, hint: 'Did you mean website?' })
  await expect(reading(config, 'cluster')).rejects.toMatchObject({ hint: 'There is: website.' })
  await expect(reading(mkdtempSync(join(tmpdir(), 'zotui-places-')), 'web')).rejects.toMatchObject({
    hint: '`zotui container template web` writes one.',
  })
  await expect(reading(config, '../web')).rejects.toThrow('is no name of a template')
  expect(templateNames(config, kind)).toEqual(['website'])
})
