/** Answers and prompts from the page: what is sent, and when nothing can be. */
import { expect, test } from 'vitest'
import { inChromium } from './browser.ts'
import { pageStatus, servedQuestion } from './page-hub.ts'
import { longCommand, pageRow, sampleBlocks, shortCommand } from './page-sample.ts'
import { expectSeen, openConversation, pageStage, useBuiltPage, type OpenedPage, type PageStage } from './page-stage.ts'
import type { Role } from '../../src/published/outside-call.ts'

const question = servedQuestion({ html: shortCommand, title: 'Run npm test?' })
const wide = { viewport: { width: 1440, height: 900 } }

async function asked(
  asks = question,
  options: { role?: Role; viewport?: { width: number; height: number } } = {},
): Promise<PageStage & OpenedPage> {
  const stage = await working(false)
  stage.hub.setQuestions('c1', [asks])
  const opened = await openConversation(stage, undefined, options)
  await expectSeen(opened.page.getByRole('button', { name: 'Review' }))
  return { ...stage, ...opened }
}

async function working(isWorking: boolean): Promise<PageStage> {
  const stage = await pageStage()
  stage.hub.setRows([pageRow()])
  stage.hub.setBlocks('c1', 0, sampleBlocks)
  stage.hub.setStatus('c1', pageStatus({ isWorking }))
  return stage
}

inChromium('a question', () => {
  useBuiltPage()

  test('is allowed once it was opened, by its hash, and shows no answer before', async () => {
    const { page, hub } = await asked()
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expect
      .poll(() => hub.calls)
      .toMatchObject([
        {
          device: 'Pixel 8',
          conversation: 'c1',
          call: { do: 'answer_call', question: 'q1', digest: question.digest, allow: true },
        },
      ])
    await expectSeen(page.locator('.message', { hasText: 'Allowed.' }))
    hub.setQuestions('c1', [])
    await page.locator('.question-card').waitFor({ state: 'hidden' })
    await expectSeen(page.getByRole('textbox', { name: 'Prompt' }))
    expect(hub.calls.length).toBe(1)
  })

  test.each([{ viewport: { width: 390, height: 844 } }, wide])(
    'that is longer than the screen can be refused at once, and allowed only after its end was seen: $viewport.width',
    async options => {
      const { page, hub } = await asked(servedQuestion({ html: longCommand }), options)
      await page.getByRole('button', { name: 'Review' }).click()
      const allow = page.getByRole('button', { name: 'Allow once' })
      await expect.poll(() => page.getByRole('button', { name: 'Refuse' }).isEnabled()).toBe(true)
      expect(await allow.isDisabled()).toBe(true)
      await expectSeen(page.getByText('Scroll to the end to allow it.'))
      await page.keyboard.press('y')
      const body = page.getByRole('group', { name: 'The whole question' })
      await body.evaluate(each => each.scrollTo(0, each.scrollHeight / 2))
      await expectSeen(page.getByText('step 60 '))
      expect(await allow.isDisabled()).toBe(true)
      expect(hub.calls).toEqual([])
      await body.evaluate(each => each.scrollTo(0, each.scrollHeight))
      await expect.poll(() => allow.isEnabled()).toBe(true)
      await page.keyboard.press('y')
      await expect.poll(() => hub.calls.length).toBe(1)
    },
  )

  test('is answered by y and n only while it is open', async () => {
    const { page, hub } = await asked(question, wide)
    await page.keyboard.press('y')
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Refuse' }).isEnabled()).toBe(true)
    await page.keyboard.press('n')
    await expect.poll(() => hub.calls.map(({ call }) => call)).toMatchObject([{ do: 'answer_call', allow: false }])
    expect(hub.calls[0]?.call).not.toHaveProperty('words')
  })

  test('is refused with words', async () => {
    const { page, hub } = await asked()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('textbox', { name: 'What to do instead' }).fill('Do not push. Run the tests only.')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await expect
      .poll(() => hub.calls.map(({ call }) => call))
      .toMatchObject([{ allow: false, words: 'Do not push. Run the tests only.' }])
  })

  test('that has changed is shown again, unread, and says so', async () => {
    const { page, hub } = await asked()
    await page.getByRole('button', { name: 'Review' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Allow once' }).isEnabled()).toBe(true)
    hub.setQuestions('c1', [servedQuestion({ html: longCommand, title: 'Run npm test?' })])
    await expectSeen(page.locator('.message', { hasText: 'This question has changed. Read it again.' }))
    await expectSeen(page.getByText('step 1 '))
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
  })

  test('whose HTML is not what its hash says, or has what may not be shown, cannot be answered here', async () => {
    for (const wrong of [
      { ...question, digest: '0'.repeat(64) },
      servedQuestion({ html: `${shortCommand}<iframe src="/"></iframe>` }),
    ]) {
      const { page } = await asked(wrong)
      await page.getByRole('button', { name: 'Review' }).click()
      await expectSeen(page.getByText('This question did not come whole. Answer it in the terminal.'))
      expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Refuse' }).isDisabled()).toBe(true)
    }
  })

  test('that somebody else has answered says who it was', async () => {
    const { page, hub } = await asked()
    hub.reply = () => ({ ok: false, why: 'answered', message: 'Office Mac has allowed it.' })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await expectSeen(page.locator('.message', { hasText: 'Office Mac has allowed it.' }))
  })

  test('offers no yes where only the terminal may give it, and says why', async () => {
    const note = 'It would reach example.com: only the terminal allows that.'
    const { page } = await asked({ ...question, answers: ['refuse'], note })
    await page.getByRole('button', { name: 'Review' }).click()
    await expectSeen(page.getByText(note))
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Refuse' }).isEnabled()).toBe(true)
  })

  test('cannot be answered by a device that may only watch', async () => {
    const { page } = await asked(question, { role: 'view' })
    await page.getByRole('button', { name: 'Review' }).click()
    await expectSeen(page.getByText('This device may only watch.').first())
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
    expect(await page.getByRole('textbox', { name: 'Prompt' }).count()).toBe(0)
  })

  test('of a zotui that lets nothing through says what to do', async () => {
    const { page, hub } = await asked()
    hub.setRows([pageRow({ questions: 1, takesAnswers: false })])
    await page.getByRole('button', { name: 'Review' }).click()
    await expectSeen(page.getByText('/serve there asks').first())
    expect(await page.getByRole('button', { name: 'Refuse' }).isDisabled()).toBe(true)
  })

  test('with fields sends what is filled in, and nothing while one that is required is empty', async () => {
    const fields = [
      { name: 'version', label: 'Version', about: '', kind: 'text', required: true, choices: [], initial: null },
      { name: 'times', label: 'How often', about: '', kind: 'number', required: false, choices: [], initial: 2 },
      {
        name: 'channel',
        label: 'Channel',
        about: 'Where it goes.',
        kind: 'choice',
        required: true,
        choices: [
          { value: 'a', label: 'Stable', about: 'For all.' },
          { value: 'b', label: 'Preview', about: '' },
        ],
        initial: 'a',
      },
      {
        name: 'docs',
        label: 'Publish the docs',
        about: '',
        kind: 'boolean',
        required: false,
        choices: [],
        initial: false,
      },
    ] as const
    const form = servedQuestion({ kind: 'form', html: '<p>Which?</p>', answers: ['fill_in', 'decline'], fields })
    const { page, hub } = await asked(form)
    await page.getByRole('button', { name: 'Review' }).click()
    const send = page.locator('.question-foot').getByRole('button', { name: 'Send' })
    await expect.poll(() => send.isEnabled()).toBe(true)
    await send.click()
    await expectSeen(page.getByText('“Version” is required.'))
    expect(hub.calls).toEqual([])
    await page.getByLabel('Version (required)').fill('1.2.3')
    await page.getByLabel('Preview').check()
    await page.getByLabel('Publish the docs').check()
    await send.click()
    const values = { version: '1.2.3', times: 2, channel: 'b', docs: true }
    await expect.poll(() => hub.calls.map(({ call }) => call)).toMatchObject([{ do: 'answer_form', values }])
  })

  test('about a plan asks for changes in words, and offers no way to accept it', async () => {
    const plan = servedQuestion({
      kind: 'plan',
      html: '<p>Step one.</p>',
      answers: ['change'],
      note: 'Accept it in the terminal.',
    })
    const { page, hub } = await asked(plan)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('textbox', { name: 'What is to change' }).fill('Leave the tests as they are.')
    await page.getByRole('button', { name: 'Ask for changes' }).click()
    await expect
      .poll(() => hub.calls.map(({ call }) => call))
      .toMatchObject([{ do: 'change_plan', words: 'Leave the tests as they are.' }])
  })

  test('is opened by the address of a notification', async () => {
    const stage = await working(false)
    stage.hub.setQuestions('c1', [question])
    const { page } = await openConversation(stage)
    await page.goto(`${stage.address}/#/c/c1/q/q1`)
    await expectSeen(page.getByRole('button', { name: 'Allow once' }))
  })
})

inChromium('the composer', () => {
  useBuiltPage()

  test('sends a prompt as it is typed, and keeps a draft over a reload', async () => {
    const stage = await working(false)
    const { page } = await openConversation(stage, undefined, wide)
    const prompt = page.getByRole('textbox', { name: 'Prompt' })
    await prompt.fill('/clear everything')
    await expectSeen(page.getByText('This is sent as it is'))
    await page.reload()
    await expect.poll(() => prompt.inputValue()).toBe('/clear everything')
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true)
    await prompt.press('End')
    await prompt.press('Shift+Enter')
    await prompt.pressSequentially('now')
    await prompt.press('Enter')
    await expect
      .poll(() => stage.hub.calls.map(({ call }) => call))
      .toMatchObject([{ do: 'prompt', text: '/clear everything\nnow' }])
    await expect.poll(() => prompt.inputValue()).toBe('')
    await page.reload()
    await expectSeen(page.getByText('Now I run the tests again'))
    expect(await prompt.inputValue()).toBe('')
  })

  test('keeps what was typed when it is not taken', async () => {
    const stage = await working(false)
    stage.hub.reply = () => ({ ok: false, why: 'needs_yes', message: 'Say yes at the terminal first.' })
    const { page } = await openConversation(stage)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Go on.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectSeen(page.locator('.message', { hasText: 'Say yes at the terminal first.' }))
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('Go on.')
  })

  test('steers and stops a running turn, and chooses a model', async () => {
    const stage = await working(true)
    const models = [
      { id: 'sonnet', name: 'Sonnet' },
      { id: 'opus', name: 'Opus' },
    ]
    stage.hub.setStatus('c1', pageStatus({ isWorking: true, models }))
    const { page } = await openConversation(stage)
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Only the tests of width.')
    await page.getByRole('button', { name: 'Steer' }).click()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('opus')
    await page.getByRole('button', { name: 'Stop the turn' }).click()
    await expect
      .poll(() => stage.hub.calls.map(({ call }) => call))
      .toMatchObject([
        { do: 'steer', text: 'Only the tests of width.' },
        { do: 'set_model', model: 'opus' },
        { do: 'stop' },
      ])
  })

  test('changes, removes and sends the prompts that wait', async () => {
    const stage = await working(true)
    const entries = [
      { id: 'e1', text: 'Then commit it.' },
      { id: 'e2', text: 'And push.' },
    ]
    stage.hub.setStatus('c1', pageStatus({ isWorking: true, queue: { entries, paused: false } }))
    const { page } = await openConversation(stage)
    await page.getByRole('button', { name: 'Change it' }).first().click()
    await page.getByRole('textbox', { name: 'The waiting prompt' }).fill('Then show me the diff.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove it' }).last().click()
    await page.getByRole('button', { name: 'Send it next' }).last().click()
    await expect
      .poll(() => stage.hub.calls.map(({ call }) => call))
      .toMatchObject([
        { do: 'change_queued', entry: 'e1', was: 'Then commit it.', text: 'Then show me the diff.' },
        { do: 'change_queued', entry: 'e2', was: 'And push.', text: '' },
        { do: 'send_queued', entry: 'e2', was: 'And push.' },
      ])
  })
})
