/** What begins the keys of everything about records. The live stream knows it without the calls. */
export const RECORDS_KEY = 'records'
