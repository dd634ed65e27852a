/** A name that would be markup, and turns the direction of writing. */
export const hostile =
  '<img src=x onerror="document.title=1"><script>document.title=1</script> \u202eegassem terces\u202c';
