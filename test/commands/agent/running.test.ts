import { expect, test } from 'vitest'
import { answerList } from '../../../components/picker/answers.ts'
import { listLines } from '../../../components/picker/list.ts'
import { openPicker } from '../../../src/state/pickers/picker.ts'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { startedStage } from '../../app/stage.ts'

test('/running shows a command whole where a narrow screen cuts it off', async () => {
  const command = 'npm run dev -- --port 3000 --host 0.0.0.0'
  const stage = await startedStage(backend =>
    Object.assign(backend, {
      abilities: new Set([...backend.abilities, 'listRunning']),
      listRunning: () => Promise.resolve([{ pid: 12_345, command, callId: 'a', startedAt: 0 }]),
    }),
  )
  await stage.say('/running')
  const picker = openPicker(stage.state().picker, 'choice')
  if (!picker) throw new Error('no list is open')
  const theme = createTheme(0)
  const lines = listLines(answerList(picker, defaultKeymap.names, theme), { theme, columns: 40 }, 12)
  const text = lines.map(line => line.text.trim())
  expect(text[0]).toContain('…')
  expect(text.join(' ')).toContain(`runs now: ${command}`)
})
