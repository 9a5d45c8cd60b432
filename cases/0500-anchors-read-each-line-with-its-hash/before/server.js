import http from 'http';

function start() {
  listen(80);
}

function stop() {
  close();
}
