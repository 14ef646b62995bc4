/** The pictures of the pages are those that `npm run screenshots` makes, and the film shows the program as it is. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { film, shots } from '../../scripts/screenshots.ts'
import { edits, tools } from '../../src/agents/demo/scripts/tooling.ts'

const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))
const MOST_BYTES = 300_000

test('each scene has a dark and a light picture, and each picture has a scene', () => {
  const made = [...shots, film].flatMap(({ name }) => [`${name}-dark.svg`, `${name}-light.svg`])
  expect(readdirSync(folder).filter(name => name.endsWith('.svg'))).toEqual(made.toSorted())
})

test.each(['dark', 'light'])('the %s film is small, needs no script, and shows what the demo shows', background => {
  const svg = readFileSync(`${folder}${film.name}-${background}.svg`, 'utf8')
  expect(svg.length).toBeLessThan(MOST_BYTES)
  expect(svg).not.toMatch(/<script|href="[^#]/)
  expect(svg).toContain(`<title>${film.title}</title>`)
  expect(svg).toContain('prefers-reduced-motion')
  const shown = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text).join(' ')
  const told = [edits, tools]
    .flatMap(({ calls }) => calls.flatMap(call => (Array.isArray(call) ? call : [])))
    .filter(each => typeof each === 'string')
  expect(told.length).toBeGreaterThan(3)
  for (const text of told) expect(shown).toContain(text.split(/[`.,:]/)[0])
})
