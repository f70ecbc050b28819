const loopbackAddress = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;

/** Whether the peer's IP address is one of this machine's own. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && loopbackAddress.test(address);
}

/** Whether a Host header, with or without a port, names this machine. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? undefined : hostNameOf(host);
  return name === 'localhost' || isLoopbackAddress(name);
}

function hostNameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : undefined;
}
