/** Descriptions in lists say what matters within 80 columns. */
import { expect, test } from 'vitest'
import { customCommands } from '../../../src/config/prompts/custom-commands.ts'
import { shippedCommandsFolder } from '../../../src/config/prompts/shipped-folder.ts'
import { describeSetting } from '../../../src/config/descriptions.ts'
import { defaultSettings, settingNames } from '../../../src/config/schema.ts'
import { shownValue } from '../../../src/config/typed.ts'
import { answerList } from '../../../components/picker/answers.ts'
import { listLines } from '../../../components/picker/list.ts'
import { popupLines } from '../../../components/popup/rows.ts'
import { popupRows } from '../../../src/state/completion/popup.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import type { ChoicePicker } from '../../../src/state/pickers/picker.ts'
import { commands, theme, withDraft } from '../stage.ts'

const columns = 80
const keyNames = defaultKeymap.names

test('no description of a slash command is cut at 80 columns', async () => {
  const folder = shippedCommandsFolder() ?? ''
  const shipped = await customCommands(
    () => '/nowhere',
    '/nowhere',
    path => path,
    folder,
  )()
  const rows = popupRows(withDraft('/'), [...commands, ...shipped.commands])
  const lines = rows.flatMap((_, selected) => popupLines(rows, selected, { theme, columns, keyNames }, 12))
  expect(rows.length).toBeGreaterThan(40)
  expect(lines.map(line => line.text).filter(line => line.includes('…'))).toEqual([])
})

test('no description of a setting is cut at 80 columns, and each differs from the others', () => {
  const choices = settingNames.map(name => ({
    label: name,
    facts: [shownValue(defaultSettings[name]).slice(0, 16), ''],
    detail: describeSetting(name),
    endsEarly: true,
  }))
  const picker: ChoicePicker = {
    kind: 'choice',
    title: 'settings',
    filter: '',
    selected: 0,
    choices,
    dismissOnType: false,
    typed: null,
    isSecret: false,
  }
  const told = settingNames.map((name, selected) => {
    const lines = listLines(answerList({ ...picker, selected }, keyNames, theme), { theme, columns }, 12)
    return lines.find(line => line.text.startsWith(`  › ${name} `))?.text.slice(44) ?? ''
  })
  expect(told.filter(words => !/^[A-Z]\S* /.test(words) || words.includes('…'))).toEqual([])
  expect(new Set(told).size).toBe(settingNames.length)
})
