import { expect, test } from 'vitest'
import type { Canvas } from '../../../components/screen/canvas.tsx'
import { createEarlyCanvas } from '../../../components/screen/early-canvas.ts'

function successor() {
  const asked: string[] = []
  const canvas: Canvas<string> = {
    show: view => void asked.push(`show ${view}`),
    draw: view => {
      asked.push(`draw ${view}`)
      return []
    },
    onDrawn: null,
    unmount: async () => void asked.push('unmount'),
  }
  return { asked, canvas }
}

test('The canvas of the first frames leaves the drawing to another one, and ends that one', async () => {
  const early = createEarlyCanvas<string>(() => [])
  const { asked, canvas } = successor()
  early.show('one')
  early.handOver(canvas)
  early.show('two')
  await early.unmount()
  expect(asked).toEqual(['draw one', 'show two', 'unmount'])
})

test('The canvas of the first frames ends another one that comes after its own end', async () => {
  const early = createEarlyCanvas<string>(() => [])
  const { asked, canvas } = successor()
  early.show('one')
  await early.unmount()
  early.handOver(canvas)
  expect(asked).toEqual(['unmount'])
})
