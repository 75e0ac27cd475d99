// The button of the page that GET /api/verify-email/{token} shows. It calls POST /api/verify-email, so that a person
// verifies the address, and not a program that opens the links of a mail. It is a separate file because the pages'
// security policy does not allow inline scripts.
const heading = document.querySelector('h1')
const question = document.querySelector('section')
const button = document.querySelector('button')
const status = document.querySelector('[role=status]')
const signIn = document.querySelector('[hidden]')
const token = location.pathname.split('/').filter(Boolean).at(-1)

function finish(title, text) {
  document.title = title
  heading.textContent = title
  status.textContent = text
  question.remove()
}

async function verify() {
  const answer = await fetch('/api/verify-email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const { message, code } = await answer.json()
  if (answer.ok) {
    finish(message, 'You can sign in now.')
    signIn.hidden = false
  } else if (answer.status === 400) {
    finish(code === 'link-expired' ? 'Link Expired' : 'Verification Failed', message)
  } else {
    status.textContent = message
  }
}

button.addEventListener('click', () => {
  button.disabled = true
  status.textContent = 'Verifying your email...'
  verify()
    .catch(() => (status.textContent = 'Network error. Please try again.'))
    .finally(() => (button.disabled = false))
})
