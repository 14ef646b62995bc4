import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reportText } from '../../src/doctor/finding.ts'
import { phoneFindings, type PhoneFacts } from '../../src/doctor/phone.ts'

/** A port of loopback that is taken until the test is over. */
async function takenPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** One that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => void server.close(resolve))
  return port
}

async function report(facts: Partial<PhoneFacts>, resolve = async (): Promise<string[]> => []): Promise<string> {
  const usual = {
    serverPid: null,
    port: facts.port ?? (await freePort()),
    tunnels: ['tailscale', 'ssh'],
    drawsBlocks: true,
    hasServed: false,
    ntfyProblem: null,
    hasCommand: false,
  }
  const findings = await phoneFindings({ ...usual, ...facts }, resolve, ['push.example'])
  return reportText([{ title: 'Phone', findings }], 200)
}

describe('the doctor says of phones', () => {
  test('that all is there', async () => {
    const port = await freePort()
    const text = await report({ port })
    expect(text).toContain(`${port} is free`)
    expect(text).toContain('none runs')
    expect(text).toContain('tailscale, ssh')
    expect(text).toContain('not looked for; no server has run here yet')
    expect(text).not.toMatch(/note|BROKEN/)
  })

  test('that another program has the port, unless a server of zotui runs', async () => {
    const port = await takenPort()
    expect(await report({ port })).toMatch(new RegExp(`note +port +${port} is taken by another program`))
    const own = await report({ port, serverPid: 4711 })
    expect(own).toMatch(/ok +server +process 4711/)
    expect(own).toMatch(/ok +port/)
  })

  test('that no tunnel is installed, and that the terminal draws no code', async () => {
    const text = await report({ tunnels: [], drawsBlocks: false })
    expect(text).toMatch(/note +tunnels +none of tailscale, cloudflared, ssh/)
    expect(text).toMatch(/note +QR code +cannot be drawn/)
  })

  test('that push services cannot be reached, once a server has run', async () => {
    expect(await report({ hasServed: true })).toMatch(
      /note +push services +push.example cannot be reached; their browsers/,
    )
    const filtered = await report({ hasServed: true }, async () => ['127.0.0.1'])
    expect(filtered).toContain('an address that is not public')
  })

  test('what is wrong with the other ways', async () => {
    expect(await report({ ntfyProblem: 'ntfyUrl names no topic at its end.' })).toMatch(/BROKEN +ntfy +ntfyUrl names/)
    expect(await report({ ntfyProblem: '', hasCommand: true })).toContain('ntfyUrl, serveNotifyCommand')
    expect(await report({})).not.toContain('other notifications')
  })
})
