import { describe, expect, test } from 'vitest'
import { qrRows } from '../../src/serve/qr.ts'

describe('a QR code', () => {
  test('is a square of half blocks with light around it', () => {
    const rows = qrRows('http://127.0.0.1:4747/#pair=0123456789') ?? []
    const width = rows[0]?.length ?? 0
    expect(rows.every(row => row.length === width)).toBe(true)
    expect(rows).toHaveLength(Math.ceil(width / 2))
    expect(rows[0]?.trim()).toBe('')
    expect(rows.every(row => row.startsWith('  ') && row.endsWith('  '))).toBe(true)
    expect(rows[1]).toMatch(/^ {2}█▀▀▀▀▀█/)
  })

  test('that would be too large is none', () => expect(qrRows('x'.repeat(3000))).toBeNull())
})
