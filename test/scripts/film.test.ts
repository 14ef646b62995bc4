import { expect, test } from 'vitest'
import { toFilm } from '../../scripts/film.ts'
import type { Picture, Style } from '../../scripts/stage.ts'
import { dark, toSvg } from '../../scripts/svg.ts'

const plain: Style = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strike: false,
  inverse: false,
}

function pictureOf(...rows: string[]): Picture {
  const cells = rows.map(row => Array.from(row, (text, column) => ({ text, column, width: 1, style: plain })))
  return { columns: 20, rows: cells, cursor: null }
}

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text x="([\d.]+)"[^>]*>([^<]*)</g)].map(match => match.slice(1).join(' '))

test('words stand at their columns, and no text depends on how a browser treats spaces', () => {
  const svg = toSvg(pictureOf('  one two   three '), dark, 'Words')
  expect(textsOf(svg)).toEqual(['30.8 one two', '114.8 three'])
})

test('a row that stays or comes back is drawn once, and shown from its first frame to its last', () => {
  const frames = [pictureOf('head', 'a'), pictureOf('head', 'b'), pictureOf('head', 'a')].map(picture => ({
    picture,
    ms: 500,
  }))
  const film = toFilm(frames, dark, 'Three frames', 1)
  expect(textsOf(film)).toEqual(['14 head', '14 a', '14 b'])
  expect(film.match(/@keyframes \w+\{.*?\}\}/g)).toEqual([
    '@keyframes t0{0%{visibility:visible}}',
    '@keyframes t1{0%{visibility:visible}33.333%{visibility:hidden}}',
    '@keyframes t2{33.333%{visibility:visible}66.667%{visibility:hidden}}',
    '@keyframes t3{66.667%{visibility:visible}}',
  ])
  expect(film).toContain('animation:1.5s step-end infinite')
})

test('people who want less motion see one frame, which stands still', () => {
  const frames = ['a', 'b'].map(text => ({ picture: pictureOf('head', text), ms: 100 }))
  const film = toFilm(frames, dark, 'Two frames', 1)
  const still = [...film.matchAll(/<g class="t\d s"><use href="#(\w+)"/g)].map(([, name]) => name)
  expect(still).toEqual(['r0', 'r2'])
  expect(film).toContain('@media(prefers-reduced-motion:reduce){g[class]{animation:none}g.s{visibility:visible}}')
})
