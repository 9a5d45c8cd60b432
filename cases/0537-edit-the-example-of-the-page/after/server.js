import http from 'http';

function start() {
  listen(8080);
}

function stop(code) {
  close();
  exit(code);
}
