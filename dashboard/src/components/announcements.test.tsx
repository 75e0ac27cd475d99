import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { announce, Announcer } from '@homing/theme/parts/Announcer.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'

const regions = () =>
  Array.from(document.querySelectorAll('[aria-live]'), ({ textContent }) => textContent)

test('announcements are made in the open dialog, because it hides the page', async () => {
  const page = (isOpen: boolean) => (
    <>
      <Announcer />
      {isOpen && (
        <Modal
          title="A dialog"
          submit={{ label: 'Save', busyLabel: 'Saving...' }}
          isBusy={false}
          onSubmit={() => undefined}
          onClose={() => undefined}
        >
          text
        </Modal>
      )}
    </>
  )
  const { rerender } = render(page(true))
  await screen.findByRole('dialog')
  act(() => announce('Copied to clipboard!'))
  expect(regions()).toEqual(['', 'Copied to clipboard!'])
  rerender(page(false))
  act(() => announce('Settings'))
  expect(regions()).toEqual(['Settings'])
})
