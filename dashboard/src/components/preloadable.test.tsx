import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test } from 'vitest'
import { preloadable } from './preloadable.ts'

const Hello = ({ name }: { readonly name: string }) => <p>Hello {name}</p>

test('a loaded component renders at once, and one that is not loaded when its code arrives', async () => {
  const { Part, preload } = preloadable(async () => ({ default: Hello }))
  const part = (
    <Suspense fallback="loading">
      <Part name="Ada" />
    </Suspense>
  )
  const { unmount } = render(part)
  expect(screen.getByText('loading')).toBeDefined()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
  unmount()
  await act(preload)
  render(part)
  expect(screen.getByText('Hello Ada')).toBeDefined()
})
