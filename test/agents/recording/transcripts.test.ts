/** Recordings of two real zots, replayed: the transcripts that the user sees in the end. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transcriptOf } from '../../../bin/wiring/transcript.ts'
import { readRecordings, recordedZots } from '../../helpers/recording.ts'
import { eventsOf } from '../../recordings/playing.ts'

const zone = process.env['TZ']
beforeAll(() => {
  process.env['TZ'] = 'UTC'
})
afterAll(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

const recordings = readRecordings()

describe.each(recordedZots)('%s', zot => {
  const own = recordings.filter(recording => recording.zot === zot)

  test.each(own)('$name', async ({ name, lines }) => {
    await expect(transcriptOf(await eventsOf({ lines }), 80)).toMatchFileSnapshot(`golden/${zot}/${name}.txt`)
  })
})
