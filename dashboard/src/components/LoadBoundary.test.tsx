import { render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { expect, test } from 'vitest'
import { LoadBoundary } from './LoadBoundary.tsx'
import { Notices } from '@homing/theme/parts/Notices.tsx'

const Missing = lazy(() => Promise.reject(new TypeError('Failed to fetch the module')))
const quiet = { onCaughtError: () => undefined }

test('code that cannot be loaded is an error, and the rest of the page stays', async () => {
  render(
    <>
      <p>the rest</p>
      <LoadBoundary>
        <Suspense>
          <Missing />
        </Suspense>
      </LoadBoundary>
    </>,
    quiet,
  )
  expect(await screen.findByText('This part of the page could not be loaded.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
  expect(screen.getByText('the rest')).toBeDefined()
})

test('a screen becomes a page with a heading, and a dialog becomes a notice and is closed', async () => {
  let isClosed = false
  render(
    <>
      <LoadBoundary showsIn="screen">
        <Suspense>
          <Missing />
        </Suspense>
      </LoadBoundary>
      <LoadBoundary showsIn="notice" onFailure={() => (isClosed = true)}>
        <Suspense>
          <Missing />
        </Suspense>
      </LoadBoundary>
      <Notices />
    </>,
    quiet,
  )
  expect(await screen.findByRole('heading', { name: 'Page not loaded' })).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeDefined()
  expect(isClosed).toBe(true)
})
