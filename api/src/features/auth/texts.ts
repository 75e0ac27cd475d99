/** What people read while they sign up and in. */
export const TEXTS = {
  registered: 'Please check your email to verify your account.',
  usernameTaken: 'This user name is taken. Please choose another.',
  termsRefused: 'An account needs the terms to be accepted.',
  verified: 'Email Verified!',
  linkInvalid: 'Invalid verification link',
  linkExpired: 'This verification link has expired. Request a new one.',
  resent: 'If an account waits for this address to be verified, a new link is on its way.',
  tooMany: 'Too many requests. Please wait before trying again.',
  wrongCredentials: 'Invalid username/email or password',
  notVerified: 'Please verify your email address before logging in.',
} as const
