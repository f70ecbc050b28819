/** Whether a token in the query of this address would cross a network unencrypted. */
export function wouldExposeToken({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** 127.0.0.0/8, ::1 and localhost. The URL parser has already written every form of an IPv4 address as four numbers. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
