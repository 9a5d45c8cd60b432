<?php
function one($a) {
    if ($a) {
        stop("it's } {$a['x']}");
    }
}
