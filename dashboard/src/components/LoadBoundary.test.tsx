import { render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { expect, test } from 'vitest'
import { LoadBoundary } from './LoadBoundary.tsx'

test('code that cannot be loaded is an error, and the rest of the page stays', async () => {
  const Missing = lazy(() => Promise.reject(new TypeError('Failed to fetch the module')))
  render(
    <>
      <p>the rest</p>
      <LoadBoundary>
        <Suspense>
          <Missing />
        </Suspense>
      </LoadBoundary>
    </>,
    { onCaughtError: () => undefined },
  )
  expect(await screen.findByText('This part of the page could not be loaded.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
  expect(screen.getByText('the rest')).toBeDefined()
})
