/** The records of a domain on the screen: their place, one of them, and how tests find the controls. */
import { screen, within } from '@testing-library/react'
import { dnsRecord } from './records.ts'
import type { openDashboard } from './screen.tsx'

export const AT = '#domain/home.example.net?tab=records'
export const APEX = 'home.example.net'

export const ACME = dnsRecord({ id: '81', owner: `_acme-challenge.${APEX}`, values: ['"one"'] })

export const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))

export const press = async (hands: ReturnType<typeof openDashboard>, name: string) =>
  hands.click(await screen.findByRole('button', { name }))
