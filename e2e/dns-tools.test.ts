/** DNS answers as dig and kdig read them. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'

const runFile = promisify(execFile)
const stack = inject('sharedService')

/** Both programs accept the same arguments. Their output includes their warnings about a message. */
async function askBy(program: string, ...words: string[]): Promise<string> {
  const at = ['@127.0.0.1', '-p', String(stack.dnsPort), '+norecurse']
  const { stdout, stderr } = await runFile(program, [...at, ...words])
  return stdout + stderr
}

describe.each(['dig', 'kdig'])('%s', (program) => {
  test.each(['+notcp', '+tcp'])('reads the zone, %s', needs(program), async (transport) => {
    const soa = await askBy(program, 'homing.test', 'SOA', transport)
    expect(soa).toContain('NOERROR')
    expect(soa).toMatch(/flags: qr aa;/i)
    expect(soa).toContain('ns1.homing.test. hostmaster.homing.test.')
    expect(soa).not.toMatch(/warning|malformed|trailing/i)
  })

  test(
    'reads glue, a name that does not exist, and a zone that dnsd does not serve',
    needs(program),
    async () => {
      const ns = await askBy(program, 'homing.test', 'NS')
      expect(ns).toMatch(/ns2\.homing\.test\.\s+3600\s+IN\s+A\s+127\.0\.0\.1/)
      const gone = await askBy(program, 'nobody.homing.test', 'A')
      expect(gone).toContain('NXDOMAIN')
      expect(gone).toMatch(/homing\.test\.\s+60\s+IN\s+SOA/)
      expect(await askBy(program, 'example.com', 'A')).toContain('REFUSED')
    },
  )

  test('EDNS, with unknown options', needs(program), async () => {
    const flags = ['+edns=0', '+bufsize=4096', '+nsid', '+dnssec']
    const answer = await askBy(program, 'homing.test', 'SOA', ...flags)
    expect(answer).toContain('NOERROR')
    expect(answer).toMatch(/EDNS PSEUDOSECTION|OPT/i)
    expect(answer).not.toMatch(/malformed/i)
  })
})
