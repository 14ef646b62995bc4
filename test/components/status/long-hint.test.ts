import { expect, test } from 'vitest'
import { linesOfLive } from '../../../components/regions.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { textsOf } from '../../helpers/lines.ts'
import { commands, stateWith, theme } from '../stage.ts'

const hint = 'No command /modle. Did you mean /model? Up brings it back; with a space before it, it is sent as text.'

function below(columns: number, rows: number): string[] {
  const { live } = createScreen(theme, () => commands).draw(stateWith({ hint }), { columns, rows })
  const lines = textsOf(linesOfLive(live)).map(line => line.trimEnd())
  expect(lines.length).toBeLessThan(rows)
  return lines.slice(lines.findIndex(line => line.startsWith('▌') || line.startsWith('>')) + 1)
}

test('a hint that is too long for one row breaks between words, and is cut on the second one', () => {
  expect(below(120, 40)).toEqual([`  ${hint}`])
  expect(below(80, 24)).toEqual([
    '  No command /modle. Did you mean /model? Up brings it back; with a space before',
    '  it, it is sent as text.',
  ])
  expect(below(40, 20)).toEqual(['  No command /modle. Did you mean', '  /model? Up brings it back; with a spa…'])
  expect(below(20, 8)).toEqual(['  No command /modle.', '  Did you mean /mod…'])
})

test('a long hint never takes the row of the composer', () => {
  expect(below(20, 3)).toEqual(['  No command /modle…'])
})
