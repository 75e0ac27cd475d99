import { expect, it } from 'vitest'
import { ConfigError } from './config.ts'
import { readLogLevelAgain } from './log.ts'

it('uses the currently configured level, and keeps the last one when it is invalid', () => {
  const told: string[] = []
  const log = { level: 'info', error: (text: string) => told.push(text) }
  readLogLevelAgain(log as never, () => ({ logLevel: 'debug' }))
  expect([log.level, told]).toEqual(['debug', []])
  readLogLevelAgain(log as never, () => {
    throw new ConfigError('LOG_LEVEL', 'loud', 'a level')
  })
  expect([log.level, told]).toEqual([
    'debug',
    ['LOG_LEVEL is "loud"; it takes a level. The log level stays debug.'],
  ])
  const fault = () => {
    throw new TypeError('a fault')
  }
  expect(() => readLogLevelAgain(log as never, fault)).toThrow(TypeError)
})
